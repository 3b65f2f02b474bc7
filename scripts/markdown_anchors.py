"""Anchors of a Markdown page's headings, as GitHub names them."""
import re


class Anchors:
    """Of one page, asked in the order of its headings."""

    def __init__(self):
        self.times = {}

    def of(self, heading):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        times = self.times[name] = self.times.get(name, -1) + 1
        return f"{name}-{times}" if times else name
