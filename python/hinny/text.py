"""Sentences as the C++ side takes them; names as people may see them."""


def sentences(given):
    """A list of str, each of which UTF-8 can say. Raises TypeError for what is no str."""
    texts = list(given)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"a sentence that is a {type(text).__name__} (expected a str)")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{text!r} (expected text that UTF-8 can say)") from None
    return texts


def one_line(text):
    """What a terminal would obey, as str's repr writes it: names of files may hold anything."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
