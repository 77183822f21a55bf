"""What the tests of the pages of `skinbake report` share."""

import html.parser
import json
import xml.etree.ElementTree

from support import CliTest, RIGS

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    """Checks that tags are balanced and collects their content."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.texts, self.attributes = [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            raise ValueError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attrs]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data.replace("\xa0", " ")))


class PagesCase(CliTest):
    def bake(self, name="a.json", rig="bent_arm.gltf", *options):
        done = self.run_program("bake", RIGS / rig, "-q", "--report", name, *options)
        self.assertIn(done.code, (0, 1), done)
        return self.json(name)

    def write(self, name, report):
        (self.folder / name).write_text(report if isinstance(report, str) else json.dumps(report))

    def pages(self, *reports):
        self.succeed("report", *reports, "-o", "out.html", "-o", "out.md", "-o", "out.xml")
        return (self.read("out.html").decode(), self.read("out.md").decode(), self.read("out.xml").decode())

    def check_pages(self, *reports):
        page, markdown, junit = self.pages(*reports)
        return Page(page), markdown, xml.etree.ElementTree.fromstring(junit)

    def compare(self, name, code, *options):
        done = self.run_program("compare", RIGS / "twisted_tube.gltf", "-q", *options, "--report", name)
        self.assertEqual(done.code, code, done)
        return self.json(name)
