import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** The drawings of a page as one file of its own. */
export type OnePicture = { path: string; text: string };

/** A drawing that a page refers to: a file of `public/art`, and the id in it. */
const reference = /<use((?: class="[^"]*")?) href="\/art\/([\w-]+)\.svg#([\w-]+)"/g;
/** A drawing of a file: each has a line of its own. */
const drawing = /^<\w+ id=.*$/gm;
const named = / id="([\w-]+)"/g;
/** What a drawing takes from its own file. */
const inner = /( href="|url\()#([\w-]+)/g;

/** The line icons, which every page has a dozen of. */
const ICONS = 'icons';
/**
 * Bytes of a page that come without waiting for the reader's word: ten segments of 1,460 (RFC 6928, section 2), less what the head of the
 * answer takes.
 */
const FIRST_FLIGHT = 10 * 1460 - 800;
const end = '</body>';

/** What a page refers to: each drawing's text, under its file's name, icons apart from the others. */
function drawingsIn(html: string, read: (path: string) => string): { icons: Set<string>; others: Set<string> } {
  const files = new Map<string, Map<string, string>>();
  const icons = new Set<string>();
  const others = new Set<string>();
  /** Takes a drawing with all that it refers to. */
  const take = (file: string, id: string): void => {
    const drawings = files.get(file) ?? drawingsOf(read(`/art/${file}.svg`));
    files.set(file, drawings);
    const line = drawings.get(id);
    if (line === undefined) throw new Error(`A page refers to a drawing that is not there: ${file}, ${id}.`);
    const taken = file === ICONS ? icons : others;
    const text = line.replace(named, ` id="${file}-$1"`).replace(inner, `$1#${file}-$2`);
    if (taken.has(text)) return;
    taken.add(text);
    for (const [, , other = ''] of line.matchAll(inner)) take(file, other);
  };
  for (const [, , file = '', id = ''] of html.matchAll(reference)) take(file, id);
  return { icons, others };
}

/** A page whose icons, and these drawings, stand in it; its other drawings are in the file of that address. */
function withDrawings(html: string, inPage: readonly string[], path: string): string {
  const referred = html.replace(
    reference,
    (_, more: string, file: string, id: string) => `<use${more} href="${file === ICONS ? '' : path}#${file}-${id}"`,
  );
  if (inPage.length === 0) return referred;
  const sprite = `<svg width="0" height="0" display="none" aria-hidden="true">${inPage.join('')}</svg>`;
  return referred.replace(end, () => sprite + end);
}

/**
 * Puts the icons that a page shows into it, and its other drawings into one file: a reference to a file costs a request, and the whole of it
 * is fetched before anything of it is seen. Where the page with all of them comes in one go, they stand in it as well; not those that cut
 * or fill by a reference, which browsers do not follow into what is not shown. Names get their file's name before them, as files share
 * some. What the framework draws anew later it takes from the files themselves.
 */
export function putDrawingsTogether(
  html: string,
  read: (path: string) => string,
): { html: string; picture: OnePicture | null } {
  const { icons, others } = drawingsIn(html, read);
  if (others.size === 0) return { html: withDrawings(html, [...icons], ''), picture: null };
  const text = `<svg xmlns="http://www.w3.org/2000/svg"><defs>\n${[...others].join('\n')}\n</defs></svg>\n`;
  if (!text.includes('url(#')) {
    const whole = withDrawings(html, [...icons, ...others], '');
    if (gzipSync(whole).length <= FIRST_FLIGHT) return { html: whole, picture: null };
  }
  const path = `/_next/static/late/${createHash('sha256').update(text).digest('base64url').slice(0, 22)}.svg`;
  return { html: withDrawings(html, [...icons], path), picture: { path, text } };
}

const drawingsOf = (text: string) =>
  new Map(
    [...text.matchAll(drawing)].flatMap(([line]) =>
      [...line.matchAll(named)].map(([, id = '']): [string, string] => [id, line]),
    ),
  );
