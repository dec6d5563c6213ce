import { desktopLimitText } from '../catalog/tools';
import { desktopLimit, fromPrice, onlineLimits } from './phrases';
import type { CompareSection, Picture } from './sections';

/** Pictures and tables that more than one page shows. */

export const recoveryWindow = {
  drawing: 'window',
  label:
    'The Mendara Data Recovery window during a deep scan: a drive map, eight found photos, a preview and a Recover button.',
} as const satisfies Picture;

export const seamPicture = {
  drawing: 'seam',
  label:
    'A photo of a parent and child flying a kite by the sea. The left half is damaged: shifted bands, wrong colours and a grey missing area. The right half is repaired.',
} as const satisfies Picture;

/** The rows that hold for every online tool (lib/contract/README.md, 6). */
export const assistanceRows: CompareSection['rows'] = [
  { name: 'Batch repair', values: [false, true] },
  { name: 'Preview', values: [false, true] },
  { name: 'Technical assistance', values: [false, true] },
];

/** The comparison of the recovery pages: the online tools beside the app. */
export const onlineOrDesktop: CompareSection = {
  kind: 'compare',
  title: 'Online repair or the desktop app?',
  lead: 'The online tools are made for one damaged file. The app is made for a whole drive.',
  caption: 'Online tools compared with the desktop app',
  columns: ['Type', 'Online', 'Desktop'],
  rows: [
    { name: 'Recovers lost files', values: [false, true] },
    ...assistanceRows,
    { name: 'File size', values: [onlineLimits, desktopLimit] },
    { name: 'Installation', values: ['None', 'Windows or Mac app'] },
    { name: 'Price', values: ['Free', `Free to scan and preview, plans from ${fromPrice}`] },
  ],
};

/** Devices of the recovery pages. */
export const repairSize = `Files up to ${desktopLimitText}`;
