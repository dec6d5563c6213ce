import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFont, socialPicture } from './social-picture.mjs';

const colourNames = ['field', 'field-2', 'on-field', 'on-field-2', 'found', 'paper'];
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#x27': "'", '#39': "'", nbsp: ' ' };

function wordsOf(html) {
  return html
    .replace(/<br\s*\/?>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

function meta(html, property) {
  const content = new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)"`).exec(html)?.[1];
  return content === undefined ? null : wordsOf(content);
}

/** Values of the light theme of a skin, from the tokens that the pages use: the first that is given, its own before the main one's. */
function coloursOf(skin) {
  const tokens = readFileSync('styles/_tokens.scss', 'utf8');
  const own = tokens.indexOf(`[data-skin="${skin}"]`);
  const sources = own === -1 ? [tokens] : [tokens.slice(own), tokens];
  const colourOf = (name) => {
    for (const source of sources) {
      const found = new RegExp(`^\\s*--${name}: (#[0-9a-f]{6});`, 'm').exec(source)?.[1];
      if (found) return found;
    }
    throw new Error(`The tokens name no colour --${name}.`);
  };
  return Object.fromEntries(colourNames.map((name) => [name, colourOf(name)]));
}

/** The shapes of the brand's mark as the page's own bar shows them, in the colours of the field. */
function markOf(html, colours) {
  const shapes = /<svg viewBox="0 0 30 30"[^>]*>([\s\S]*?)<\/svg>/.exec(html)?.[1];
  return shapes
    ?.replaceAll('currentColor', colours['on-field'])
    .replaceAll('var(--found)', colours.found)
    .replaceAll('var(--paper)', colours.field);
}

/** What a built page asks for: the picture's address and words; null when it has none of ours. */
function pictureOf(html) {
  const address = meta(html, 'og:image');
  const file = address && URL.canParse(address) ? new URL(address).pathname : null;
  const heading = wordsOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '');
  if (!file?.startsWith('/og/') || heading === '') return null;
  const brand = meta(html, 'og:site_name') ?? '';
  const title = (meta(html, 'og:title') ?? '').replace(` | ${brand}`, '');
  const isSame = title.replace(/\W/g, '').toLowerCase() === heading.replace(/\W/g, '').toLowerCase();
  const line = isSame ? (meta(html, 'og:description') ?? '') : title;
  return { file, heading, line, brand, skin: /data-skin="(\w+)"/.exec(html)?.[1] ?? 'mendara' };
}

/**
 * Draws the picture that shared links show for every built page that names one, below `folder`. What a page says is
 * read from the page itself, so that a new page has its picture without being listed anywhere.
 */
export async function drawSocialPictures(pages, folder) {
  const { default: sharp } = await import('sharp');
  const fonts = { display: await openFont('funnel-display', 620), text: await openFont('funnel-sans', 400) };
  const brands = new Map();
  for (const html of pages) {
    const picture = pictureOf(html);
    if (!picture || brands.get(picture.skin)?.mark) continue;
    const colours = coloursOf(picture.skin);
    brands.set(picture.skin, { name: picture.brand, colours, mark: markOf(html, colours) });
  }
  for (const html of pages) {
    const picture = pictureOf(html);
    if (!picture) continue;
    const svg = socialPicture({ ...picture, path: picture.file }, brands.get(picture.skin), fonts);
    const target = join(folder, picture.file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await sharp(Buffer.from(svg)).png({ palette: true, compressionLevel: 9 }).toBuffer());
  }
}
