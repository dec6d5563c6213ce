import { Buffer } from '../../host/bytes';
import { sheetPath } from './cellplaces';
import { asUtf8 } from './encoding';
import { type OfficePackage, partText } from './package';
import { plainFormat, workbookStyles } from './templates';

export const stylesPath = 'xl/styles.xml';

/** Formats of cells that a workbook may have, by what programs take. */
const mostFormats = 64_000;
/** What formats of cells count in, which has to be there beside them. */
const counted = ['font', 'fill', 'border'] as const;

/** Gives cells the formats that they refer to, plain ones, where the list of them is damaged: programs refuse a workbook whose cells have none. */
export function completeFormats(
  { parts, told }: Pick<OfficePackage, 'parts' | 'told'>,
  damaged: ReadonlySet<string>,
): void {
  const styles = damaged.has(stylesPath) ? partText(parts, stylesPath) : null;
  if (styles === null) return;
  const wanted = Math.min(mostFormats, formatsUsed(parts));
  const from = styles.search(/<cellXfs[\s>]/);
  const to = from < 0 ? -1 : styles.indexOf('</cellXfs>', from);
  const list = to < 0 ? null : styles.slice(styles.indexOf('>', from) + 1, to);
  const count = list?.match(/<xf[\s/>]/g)?.length ?? 0;
  if (count >= wanted) return;
  told.lost.push({ how: 'formatting.part', count: wanted - count });
  const more = plainFormat.repeat(wanted - count);
  const whole =
    list !== null && counted.every((name) => hasAny(styles, name))
      ? `${styles.slice(0, from)}<cellXfs count="${wanted}">${list}${more}${styles.slice(to)}`
      : workbookStyles(wanted);
  parts.set(stylesPath, Buffer.from(asUtf8(whole)));
}

/** Whether a list of these is there and holds one. */
function hasAny(styles: string, name: string): boolean {
  const list = styles.search(new RegExp(`<${name}s[\\s>]`));
  return list >= 0 && new RegExp(`<${name}[\\s/>]`).test(styles.slice(list));
}

/** One more than the largest number of a format that rows, cells and columns refer to (18.3.1.73, 18.3.1.4 and 18.3.1.13). */
function formatsUsed(parts: ReadonlyMap<string, Buffer>): number {
  let most = 0;
  for (const path of parts.keys()) {
    if (!sheetPath.test(path)) continue;
    for (const [, number] of (partText(parts, path) ?? '').matchAll(
      /<(?:\w+:)?(?:row|c|col)\s[^<>]*?\bs(?:tyle)?="(\d{1,7})"/g,
    ))
      most = Math.max(most, Number(number) + 1);
  }
  return most;
}
