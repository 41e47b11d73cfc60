"""How it deforms and fails under a load that grows, on contacts with stiffness in all six directions."""
