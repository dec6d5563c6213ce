import { createHash } from 'node:crypto';

/** The style sheets of a page as one file of its own. */
export type OneSheet = { path: string; text: string };

/** A style sheet that the framework wrote into a page. */
const link = /<link rel="stylesheet" href="(\/_next\/static\/chunks\/[^"]+\.css)" data-precedence="next"\/>/g;
const sourceMap = /\/\*# sourceMappingURL=[^*]*\*\//g;
/** What the compiler writes for `light-dark()`, and the font loader for its `className`. */
const schemes = /--lightningcss-(?:light|dark):[^;}]*;?/g;
/** What that leaves where it stood alone. */
const emptied = /@media \(prefers-color-scheme:dark\)\{html\{\}\}/g;
const fontClass = /\.(\w+_className)\{font-[^{}]*\}/g;

/**
 * Puts a page's style sheets, in their order, into one: each costs a request, its headers, and what it could have shared with the others
 * when they were compressed. It lies as deep as they do, so that the addresses in it stay right. Null where there is nothing to put together.
 *
 * Links to the parts stay, disabled, so that nobody fetches them (HTML, "fetch and process the linked resource" of a style sheet): the
 * framework looks for a link before it fetches a sheet, on this page and on those that it goes to from here.
 */
export function putSheetsTogether(
  html: string,
  read: (path: string) => string,
): { html: string; sheet: OneSheet } | null {
  const parts = [...html.matchAll(link)].map(([, path = '']) => path);
  if (parts.length < 2) return null;
  const text = withoutUnused(parts.map((path) => read(path).replace(sourceMap, '').trim()).join('\n'), html);
  const path = `/_next/static/late/${createHash('sha256').update(text).digest('base64url').slice(0, 22)}.css`;
  const links = [linkTo(path, ''), ...parts.map((part) => linkTo(part, ' disabled=""'))].join('');
  let isFirst = true;
  const merged = html.replace(link, () => {
    const here = isFirst ? links : '';
    isFirst = false;
    return here;
  });
  return { html: merged, sheet: { path, text } };
}

/** What the framework writes to have a style sheet fetched early: a link, and a row of the page's payload within a text of JavaScript. */
const sheetHint = /<link rel="preload" href="([^"]+\.css)" as="style"\/>|:HL\[\\"([^"\\]+\.css)\\",\\"style\\"\]\\n/g;

/**
 * Leaves out hints for style sheets that the page does not have. The framework hints at those of the page for unknown addresses as well,
 * which a page without a bar shares nothing with; a browser fetches them and complains that nobody uses them.
 */
export function withoutIdleHints(html: string): string {
  return html.replace(sheetHint, (hint, linked?: string, inPayload?: string) =>
    html.includes(`<link rel="stylesheet" href="${linked ?? inPayload}"`) ? hint : '',
  );
}

/** Leaves out what the tools write along and nothing of the page uses. */
function withoutUnused(text: string, html: string): string {
  const kept = text.includes('var(--lightningcss-') ? text : text.replace(schemes, '').replace(emptied, '');
  return kept.replace(fontClass, (rule, name: string) => (html.includes(name) ? rule : ''));
}

const linkTo = (path: string, more: string) => `<link rel="stylesheet" href="${path}" data-precedence="next"${more}/>`;
