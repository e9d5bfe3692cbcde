"""HTML as a reader of it sees it."""

from html.parser import HTMLParser

VOID = {"br", "img"}


class Reader(HTMLParser):
    """Elements, whose ends are where they belong, and the text beside pictures."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text, self._open = [], [], []
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if not {"style", "svg"} & {*self._open}:
            self.text.append(data)

    def of(self, tag):
        """The attributes of each element of a kind."""
        return [attrs for name, attrs in self.elements if name == tag]

    def line(self, name):
        """What stands behind a name in a table."""
        return self.text[self.text.index(name) + 1]
