import { endingsOf } from '../repair/formats/table';

/** An online repair tool (lib/contract/README.md, 90): sizes in bytes, `limitBytes` itself is refused ("under"). */
export type OnlineTool = {
  type: 17 | 18 | 19;
  kind: 'video' | 'file' | 'photo';
  noun: string;
  route: string;
  /** Page of the desktop tool for the same kind of file. */
  desktopRoute: string;
  extensions: readonly string[];
  limitBytes: number;
  limitText: string;
  failure: string;
};

const MB = 2 ** 20;

export const onlineTools = {
  video: {
    type: 17,
    kind: 'video',
    noun: 'video',
    route: '/video-repair-online',
    desktopRoute: '/video-fixer',
    extensions: endingsOf('video'),
    limitBytes: 500 * MB,
    limitText: '500 MB',
    failure: 'The video is severely damaged and cannot be repaired at this time.',
  },
  file: {
    type: 18,
    kind: 'file',
    noun: 'file',
    route: '/corrupted-file-recovery-online',
    desktopRoute: '/file-fixer',
    extensions: endingsOf('document'),
    limitBytes: 5 * MB,
    limitText: '5 MB',
    failure: 'The file is severely damaged and cannot be repaired at this time.',
  },
  photo: {
    type: 19,
    kind: 'photo',
    noun: 'photo',
    route: '/photo-restoration-online',
    desktopRoute: '/photo-restoration',
    extensions: endingsOf('photo'),
    limitBytes: 5 * MB,
    limitText: '5 MB',
    failure: 'The photo is severely damaged and cannot be repaired at this time.',
  },
} as const satisfies Record<'video' | 'file' | 'photo', OnlineTool>;

/** Largest file of the desktop repair tools, as stated (lib/contract/README.md, 6). */
export const desktopLimitText = '5 GB';

/** Finds an online tool by its type code. */
export function toolByType(type: number): OnlineTool | undefined {
  return Object.values(onlineTools).find((tool) => tool.type === type);
}

/** Hours after which an upload and its result are deleted (lib/contract/README.md, 94). */
export const uploadLifeHours = 24;
