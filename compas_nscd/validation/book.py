"""Book."""
def render_book(outcomes): return ""
