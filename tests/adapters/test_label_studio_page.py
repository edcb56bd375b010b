"""A page is built as a browser builds it; the browser is a real Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from browser import chromium
from goldspan.adapters.label_studio.page import lay_out

PAGES = {
    "paragraphs and items left open": "<p>One<p>Two<ul><li>a<li>b</ul><dl><dt>c<dd>d</dl>e",
    "cells left open": "<table><tr><td>x<td>y<tr><th>z</table>tail",
    "text that a table may not hold": "<table>A<tr>B<td>C</td>D</tr>E</table>F",
    "formatting that overlaps": "<p>1<b>2<i>3</b>4</i>5</p><b>6<p>7</b>8</p><a>9<a>10",
    "formatting that never ends": "<nobr>a<nobr>b</nobr>c<font color=red>d<font>e</font>f",
    "a line feed that begins a block": (
        "<pre>\nfirst\n second</pre><p>x</p><pre>\n\ntwo</pre><listing>\nl</listing>"
        "<textarea>\n t&amp;u <b>n</b></textarea>end"
    ),
    "entities": (
        "<p>AT&amp;T &copy 2020 &notit; &lt;b> &nbsp;x &#128512; &#x1F600 &#0; &#128; &unknown; "
        "&ampersand a&b</p>"
    ),
    "comments": "<p>a<!-- c -->b<!--> d --> e<!doctype x>f<![CDATA[g]]>h<?php i ?>j</p>",
    "scripts, styles and frames": (
        "<style>p{color:red}</style><p>a<script>var x='<p>no</p>';</script>b<style>b{}</style>c</p>"
        "<iframe><p>in</p></iframe>d<noscript><p>n</p></noscript>"
    ),
    "a whole document": (
        "<!DOCTYPE html><html><head><title>T</title><style>x{}</style></head>\n<body>\n<p>a</p>\n"
        "</body>\n</html>\n"
    ),
    "a document without its tags": "  \n <title>T</title><meta charset=utf-8> <p>a</p> \n b",
    "text behind the end": "<div>a</body>b</div></html>c",
    "NUL": "<p>a\0b</p>\0c<svg>\0d</svg>",
    "line ends": "<p>a\r\nb\rc&#13;d\n\re</p>\r\n<pre>\r\nx</pre>",
    "ends without a beginning": "a</p>b<br>c</br>d<table><td>e</table><col>f",
    "a table in a paragraph": "<p>a<table><tr><td>b</table>c",
    "tables in tables": (
        "<table><tr><td><table><tr><td>a</table>b</table>c"
        "<table><caption>k<p>l</caption><tbody><tr><td>m</table>"
    ),
    "drawings and formulas": (
        "<p>x<svg viewBox='0 0 1 1'><title>t</title><foreignObject><p>in</p></foreignObject>"
        "<text>s</text></svg>y<math><mi>a</mi><annotation-xml><p>q</annotation-xml></math>z"
    ),
    "a template": "<p>a</p><template><p>hidden</p></template>c",
    "choices": "<select><option>a<option>b<optgroup label=x><option>c</select><p>d",
    "headings, forms and buttons": (
        "<h1>a<h2>b</h1>c<form>e<form>f</form>g<p>a<button>b<p>c</button>d<button>e<button>f"
    ),
    "ruby": "<ruby>漢<rp>(<rt>kan<rp>)</ruby>x",
    "old elements": (
        "<xmp><b>a</b></xmp><noembed><i>x</i></noembed><noframes>q</noframes>b"
        "<marquee>c<p>d</marquee>e<object><p>a</object>b"
    ),
    "plain text to the end": "<p>a<plaintext>b</p><b>c",
    "a late frameset": "x<frameset><frame></frameset>y",
    "wide characters": "<p>😀<b>a👩‍👩‍👧b</b></p>x",
    "what Word writes": (
        "<p class=MsoNormal><o:p>a</o:p><![if !supportLists]>b<![endif]></p>"
        "<st1:place>c</st1:place>"
    ),
}

TEXT_NODES = """async html => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin allow-scripts");
  frame.srcdoc = "<!DOCTYPE html>" + html;
  const loaded = new Promise(resolve => { frame.onload = resolve; });
  document.body.append(frame);
  await loaded;
  const body = frame.contentDocument.body;
  const inside = [...body.querySelectorAll("*"), body].flatMap(node => [...node.childNodes]);
  const tags = ["SCRIPT", "IFRAME"];
  const removed = node => node.nodeType > Node.TEXT_NODE || tags.includes(node.nodeName);
  inside.filter(removed).forEach(node => node.remove());
  body.normalize();
  const found = [];
  const walk = (parent, path) => {
    const counts = {};
    for (const node of parent.childNodes) {
      const name = node.nodeType === Node.TEXT_NODE ? "text()" : node.nodeName.toLowerCase();
      counts[name] = (counts[name] ?? 0) + 1;
      const place = `${path}/${name}[${counts[name]}]`;
      if (name === "text()") found.push([place, node.data]);
      else if (name === "br") found.push(["", "\\n"]);
      else walk(node, place);
    }
  };
  walk(body, "");
  frame.remove();
  return found;
}"""
"""As Label Studio shows a page, in a frame, after it took comments, scripts and frames away."""

Built = Callable[[str], list[tuple[str, str]]]


@pytest.fixture(scope="module")
def built() -> Iterator[Built]:
    """The path and the text of each text node that Chromium makes of a page."""
    with chromium() as browser:
        page = browser.new_page()

        def text_nodes(html: str) -> list[tuple[str, str]]:
            return [(path, text) for path, text in page.evaluate(TEXT_NODES, html)]

        yield text_nodes


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_pages_are_built_as_chromium_builds_them(built: Built, html: str) -> None:
    expected = built(html)
    assert expected
    assert [(piece.path, piece.text) for piece in lay_out(html)] == expected


def test_a_page_nests_deeper_than_python_calls() -> None:
    depth = 3000
    deep, flat = lay_out("<div>" * depth + "Anna" + "</div>" * depth + "<p>Bob</p>")
    assert (deep.text, deep.path) == ("Anna", "/div[1]" * depth + "/text()[1]")
    assert (flat.text, flat.path) == ("Bob", "/p[1]/text()[1]")


def test_a_page_that_keeps_a_parser_busy_is_given_up() -> None:
    attributes = " ".join(f"a{number}" for number in range(10_000))
    html = f"<p {attributes}>a"
    assert [piece.text for piece in lay_out(html, seconds=600)] == ["a"]
    assert lay_out(html, seconds=-600) == []
