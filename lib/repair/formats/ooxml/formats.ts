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
  const list = /<cellXfs(?:\s[^<>]*)?>([\s\S]*?)<\/cellXfs>/.exec(styles);
  const count = list?.[1]?.match(/<xf[\s/>]/g)?.length ?? 0;
  if (count >= wanted) return;
  told.lost.push({ how: 'formatting.part', count: wanted - count });
  const isUsable = counted.every((name) => new RegExp(`<${name}s[\\s>][\\s\\S]*<${name}[\\s/>]`).test(styles));
  const more = plainFormat.repeat(wanted - count);
  const whole =
    list && isUsable
      ? styles.replace(list[0], () => `<cellXfs count="${wanted}">${list[1]}${more}</cellXfs>`)
      : workbookStyles(wanted);
  parts.set(stylesPath, Buffer.from(asUtf8(whole)));
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
