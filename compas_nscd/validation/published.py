"""Chapter."""
from compas_nscd.validation.chapter import Chapter
CHAPTER = Chapter("published")
