import { brands, productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { PageFile } from '../page';

const { recovery, duplicate, whatsapp } = productLines;

/** The download page: no bar and no footer (lib/contract/README.md, 14). */
export default {
  name: 'Download',
  order: 70,
  seo: {
    title: `Download ${brands.mendara.name} and ${brands.chatferry.name}`,
    description: `Installers for ${recovery.name}, ${duplicate.name} and ${whatsapp.name} on Windows and Mac, with what they need.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Download',
      lead: 'Scanning and previewing are free. If you lost files, install on a different drive from the one you lost them on. [Back to home](/)',
    },
    {
      kind: 'downloads',
      title: 'Programs',
      programs: [
        {
          website: 'recovery',
          name: recovery.name,
          tile: 'p-recovery',
          text: 'Finds lost files and repairs damaged ones.',
          systems: [
            { os: 'win', label: 'Windows', requirement: `${requirements.windows}, ${requirements.windowsServer}` },
            { os: 'mac', label: 'Mac', requirement: requirements.mac },
          ],
        },
        {
          website: 'duplicate',
          name: duplicate.name,
          tile: 'p-dup',
          text: 'Finds and clears copies and similar pictures.',
          systems: [
            { os: 'win', label: 'Windows', requirement: requirements.duplicateWindows },
            { os: 'mac', label: 'Mac', requirement: requirements.duplicateMac },
          ],
        },
        {
          website: 'whatsapp',
          name: whatsapp.name,
          tile: 'p-ferry',
          text: `Moves WhatsApp between iPhone and Android. CPU ${requirements.whatsapp.cpu}, RAM ${requirements.whatsapp.ram}, disk ${requirements.whatsapp.disk}.`,
          systems: [
            { os: 'win', label: 'Windows', requirement: requirements.windows },
            { os: 'mac', label: 'Mac', requirement: requirements.mac },
          ],
        },
      ],
    },
  ],
} as const satisfies PageFile;
