import { createHash } from 'node:crypto';

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
const end = '</body>';

/**
 * Puts the icons that a page shows into it, and its other drawings into one file: a reference to a file costs a request, and the whole of it
 * is fetched before anything of it is seen. Names get their file's name before them, as files share some. What the framework draws anew
 * later it takes from the files themselves.
 */
export function putDrawingsTogether(
  html: string,
  read: (path: string) => string,
): { html: string; picture: OnePicture | null } {
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
  const text = `<svg xmlns="http://www.w3.org/2000/svg"><defs>\n${[...others].join('\n')}\n</defs></svg>\n`;
  const path = `/_next/static/late/${createHash('sha256').update(text).digest('base64url').slice(0, 22)}.svg`;
  const referred = html.replace(
    reference,
    (_, more: string, file: string, id: string) => `<use${more} href="${file === ICONS ? '' : path}#${file}-${id}"`,
  );
  const sprite = `<svg width="0" height="0" display="none" aria-hidden="true">${[...icons].join('')}</svg>`;
  return {
    html: icons.size > 0 ? referred.replace(end, () => sprite + end) : referred,
    picture: others.size > 0 ? { path, text } : null,
  };
}

const drawingsOf = (text: string) =>
  new Map(
    [...text.matchAll(drawing)].flatMap(([line]) =>
      [...line.matchAll(named)].map(([, id = '']): [string, string] => [id, line]),
    ),
  );
