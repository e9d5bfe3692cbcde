"""HTML of results: tables for all readers, names that cannot do harm, nothing from elsewhere."""

from pages import Reader

from prfast.results import values

EVIL = "<script>alert('\"')</script> & \udcff"


class Evil(values.Result):
    def _display(self):
        return values.Display(EVIL, [[EVIL] * 2], [EVIL] * 2, [EVIL], [EVIL], details=[EVIL])


def test_names_are_text():
    text = Evil()._repr_html_()
    read = Reader(text)
    assert not read.of("script")
    assert "".join(read.text).count(EVIL.replace("\udcff", "?")) == 8
    text.encode("utf-8")


def test_a_long_table_says_where_the_rest_is():
    lines = [[str(i), "x"] for i in range(values.MOST + 5)]
    read = Reader(values.table(["", "x"], lines, "long"))
    assert len(read.of("tr")) == 1 + values.MOST
    assert read.text[-1] == "… and 5 more lines: to_frame() has all"
    whole = Reader(values.table(["", "x"], lines[: values.MOST], "whole"))
    assert len(whole.of("tr")) == 1 + values.MOST
    assert not whole.of("p")
