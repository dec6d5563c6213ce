import { guaranteeDays, guaranteeSentence, statistics } from '../catalog/facts';
import { dollars, offers } from '../catalog/plans';
import { desktopLimitText, onlineTools, uploadLifeHours } from '../catalog/tools';

/** How facts of the catalogue read inside sentences; nothing here is a fact of its own. */

type Kind = keyof typeof onlineTools;

/** The formats that people know best, named first. */
const known: Record<Kind, readonly string[]> = {
  video: ['mp4', 'mov', 'mkv', 'avi'],
  photo: ['jpg', 'png', 'cr2', 'nef'],
  file: ['pdf', 'docx', 'pptx', 'xlsx'],
};

/** "MP4, MOV, MKV, AVI and 7 more". */
export function extensionsSummary(kind: Kind): string {
  const rest = onlineTools[kind].extensions.length - known[kind].length;
  return `${known[kind].map((name) => name.toUpperCase()).join(', ')} and ${rest} more`;
}

/** "MOV, MP4 … and M4V", all of them, in their order (lib/contract/README.md, 90). */
export function extensionsList(kind: Kind, last: 'and' | 'or' = 'and'): string {
  const names = onlineTools[kind].extensions.map((name) => name.toUpperCase());
  return `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** The limit with a space that does not break, as in "under 500 MB". */
export function limit(kind: Kind): string {
  return `under ${onlineTools[kind].limitText.replace(' ', '\u00a0')}`;
}

/** The lowest price of a plan, "$9.99". */
export const fromPrice: string = dollars(Math.min(...offers.map(({ cents }) => cents)));

export const windowsGuarantee = `${guaranteeDays.recoveryWindows} days`;
export const otherGuarantee = `${guaranteeDays.everythingElse} days`;

/** The guarantee on pages that cover more than one product. */
export const bothGuarantees = `Money back within ${guaranteeSentence}`;

/** A success rate never stands without its limit (components/README.md, 40). */
export const windowsRate = `We quote a ${statistics.successRateWindows} recovery success rate for Windows. Your own result depends on the drive and on what happened since.`;
export const macRate = `We quote a ${statistics.successRateMac} recovery success rate for Mac. Your own result depends on the drive and on what happened since.`;

/** "~10": a figure that keeps its "about" (components/README.md, 41). */
export const aboutYears = `~${statistics.years.replace(/\D/g, '')}`;

/** The online tools' limits in one phrase. */
export const onlineLimits = `Video ${limit('video')}, photo and file ${limit('file')}`;

/** What the desktop tools take. */
export const desktopLimit = `Up to ${desktopLimitText.replace(' ', '\u00a0')}`;

/** Deletion of uploads, as it stands after "deleted". */
export const deletedWithin = `within ${uploadLifeHours} hours`;

/** "1M+": the figure of "over 1M users", written like the others. */
export const usersFigure = `${statistics.usersOver.replace('over ', '')}+`;

/** "November 22, 2026" of a day in ISO 8601. */
export function dayInWords(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
