import { brands } from '../../catalog/brands';

import type { PageFile } from '../page';
import { dayInWords } from '../phrases';
import { measurement, overview, tablesOf, totals } from '../results/measured';

const { mendara } = brands;
const { day, engine, machine, seeds, tools, originals, alarms } = measurement;
const count = (number: number) => number.toLocaleString('en-US');

/** What the free tools bring back, as measured; every figure comes from the file that the bench writes. */
export default {
  name: 'How well it repairs',
  order: 95,
  changed: day,
  menus: [{ in: 'support', order: 35, line: 'Measured, with what fails' }],
  seo: {
    title: `How well it repairs: measured results | ${mendara.name}`,
    description:
      'What our free repair brings back, by file type and damage, measured beside free tools that anybody can run. With our failures by name.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'How well it repairs.',
      lead: `Measured on ${count(totals.files)} damaged files on ${dayInWords(day)}, beside free tools that anybody can run. What fails stands here as well, by name.`,
    },
    {
      kind: 'stats',
      tight: true,
      title: 'What went wrong',
      visible: true,
      stats: [
        { value: count(totals.worse), label: 'results worse than the damaged file' },
        { value: count(totals.nextToNothing), label: 'results with under 2 % of the content' },
        { value: count(totals.unnoticed), label: 'damaged files called healthy' },
        { value: count(alarms.length), label: `of ${count(originals)} healthy files called damaged` },
      ],
    },
    {
      kind: 'results',
      id: 'overview',
      tight: true,
      title: 'By kind of file',
      lead: '100 is everything that the file held before it was damaged. “As it is” is what can be read without any repair.',
      tables: [overview()],
    },
    { kind: 'results', id: 'videos', tight: true, title: 'Videos', tables: tablesOf('video') },
    { kind: 'results', id: 'photos', tight: true, title: 'Photos', tables: tablesOf('photo') },
    { kind: 'results', id: 'documents', tight: true, title: 'Documents', tables: tablesOf('document') },
    {
      kind: 'prose',
      tight: true,
      blocks: [
        { title: 'How it is measured' },
        {
          list: [
            `${count(originals)} healthy files, by many programs, are the originals.`,
            `Each is damaged in every way that befalls its kind, ${seeds === 1 ? 'once' : `at ${seeds} places`} for damage that falls by chance. The same numbers start the chance each time, so the files are the same for everybody.`,
            'Each is repaired as the online tools repair it, without a second try.',
            'The result is held against the original. Videos, photos and PDF are opened by readers that are not ours; of Office files the words are read by our own.',
            'Video: seven tenths for frames that are the same to the last point, three tenths for packets of sound.',
            'Photo: squares of 16 by 16 points that look the same.',
            'Document: words that can be read back.',
            'The other tools get the same files, each as it comes, untuned. The best of them stands in each row.',
          ],
        },
        { title: 'What the figures don’t say' },
        {
          list: [
            'We made the damage ourselves. A file that broke in your camera may be worse or better off.',
            'Nothing was tuned on a third of the files. Their figure stands beside each kind.',
            'An average hides much: the same damage may cost one file nothing and another one all. What hardly comes back is listed below each table.',
            'Files that were never written, or were written over, come back with no tool.',
          ],
        },
        { title: 'The other tools' },
        { list: tools.map(({ name, version }) => `${name}, version ${version}`) },
        { title: 'Run it yourself' },
        {
          text: `The programs, the originals and the damage are part of the source code of this website. One command measures all of it and writes the figures of this page: **npm run bench:results**. It needs Node.js, ffmpeg, and the tools that it should compare with; it leaves out what it doesn’t find.`,
        },
        {
          text: `Measured on ${dayInWords(day)} on ${machine}. Engine of version ${engine.version}, state ${engine.state}.`,
        },
      ],
    },
    {
      kind: 'cta',
      tight: true,
      title: 'Try it on your file.',
      lead: 'It is free, and the report says what came back and what did not.',
      actions: [
        { act: 'link', label: 'Repair a video', href: '/video-repair-online' },
        { act: 'link', label: 'Repair a photo', href: '/photo-restoration-online' },
        { act: 'link', label: 'Repair a document', href: '/corrupted-file-recovery-online' },
      ],
    },
  ],
} satisfies PageFile;
