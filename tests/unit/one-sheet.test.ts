import { describe, expect, it } from 'vitest';
import { putSheetsTogether, withoutIdleHints } from '@/lib/cli/front/one-sheet';

const link = (name: string) =>
  `<link rel="stylesheet" href="/_next/static/chunks/${name}.css" data-precedence="next"/>`;
const sheets: Record<string, string> = {
  '/_next/static/chunks/a.css': '.a{color:red}\n/*# sourceMappingURL=a.css.map*/',
  '/_next/static/chunks/b.css': '@font-face{src:url(../media/face.woff2)}',
};
const read = (path: string) => sheets[path] ?? '';

describe('the style sheets of a page', () => {
  it('become one in their order, as deep as they lay', () => {
    const made = putSheetsTogether(`<head>${link('a')}${link('b')}<title>A</title></head>`, read);
    expect(made?.sheet.text).toBe('.a{color:red}\n@font-face{src:url(../media/face.woff2)}');
    expect(made?.sheet.path).toMatch(/^\/_next\/static\/late\/[\w-]{22}\.css$/);
    expect(made?.html).toMatch(/^<head><link rel="stylesheet" href="[^"]*\/late\/[^"]*" data-precedence="next"\/>/);
    expect(made?.html).toMatch(/<title>A<\/title><\/head>$/);
  });

  it('are still found by the framework, which looks for each before it fetches it, and fetched by nobody', () => {
    document.head.innerHTML = putSheetsTogether(link('a') + link('b'), read)?.html ?? '';
    const links = [...document.head.querySelectorAll('link')];
    expect(links.map((each) => each.hasAttribute('disabled'))).toEqual([false, true, true]);
    for (const path of Object.keys(sheets))
      expect(document.querySelectorAll(`link[rel="stylesheet"][href="${path}"]`)).toHaveLength(1);
  });

  it('lose what the compiler and the font loader write along, unless it is used', () => {
    const head = 'html{color:red;--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light dark}';
    const font = '.x1_className{font-family:face}.x1_variable{--face:"face"}';
    const textOf = (a: string, b: string, html = '') =>
      putSheetsTogether(link('a') + link('b') + html, (path) => (path.endsWith('a.css') ? a : b))?.sheet.text;
    expect(textOf(head, font)).toBe('html{color:red;color-scheme:light dark}\n.x1_variable{--face:"face"}');
    const dark = '@media (prefers-color-scheme:dark){html{--lightningcss-light: ;--lightningcss-dark:initial}}';
    expect(textOf(`.a{color:red}${dark}`, font)).toBe('.a{color:red}\n.x1_variable{--face:"face"}');
    const used = '.a{color:var(--lightningcss-light,red)}';
    expect(textOf(head, used)).toBe(`${head}\n${used}`);
    expect(textOf('', font, '<p class="x1_className">')).toBe(`\n${font}`);
  });

  it('are hinted at where the page has them alone', () => {
    const hint = (name: string) => `<link rel="preload" href="/_next/static/chunks/${name}.css" as="style"/>`;
    const row = (name: string) => String.raw`:HL[\"/_next/static/chunks/${name}.css\",\"style\"]\n`;
    const face = String.raw`:HL[\"/_next/static/media/text.woff2\",\"font\",{\"crossOrigin\":\"\"}]\n`;
    const page = (...rows: string[]) =>
      `${link('a')}<script>self.__next_f.push([1,"${rows.join('')}0:{}\\n"])</script>`;
    expect(withoutIdleHints(hint('a') + hint('b') + page(row('a'), face, row('b')))).toBe(
      hint('a') + page(row('a'), face),
    );
  });

  it('stay as they are where there is one, or where somebody else wrote them', () => {
    expect(putSheetsTogether(link('a'), read)).toBeNull();
    expect(putSheetsTogether('<link rel="stylesheet" href="/other.css"/>'.repeat(2), read)).toBeNull();
  });
});
