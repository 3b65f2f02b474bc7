"""Sentences as the C++ side takes them."""


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
