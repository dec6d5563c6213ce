/** Line icons that content names; a subset of the sprite, checked where a section hands one to the icon component. */
export type ContentIcon =
  | 'archive'
  | 'arrow-right'
  | 'book-open'
  | 'camera'
  | 'check'
  | 'circle-help'
  | 'clock'
  | 'copy'
  | 'credit-card'
  | 'disc'
  | 'download'
  | 'file-text'
  | 'film'
  | 'folder'
  | 'globe'
  | 'hard-drive'
  | 'image'
  | 'laptop'
  | 'layers'
  | 'life-buoy'
  | 'list-filter'
  | 'lock'
  | 'mail'
  | 'memory-stick'
  | 'message-circle'
  | 'mic'
  | 'monitor'
  | 'music'
  | 'package'
  | 'plane'
  | 'repeat'
  | 'search'
  | 'server'
  | 'shield-check'
  | 'smartphone'
  | 'trash-2'
  | 'usb'
  | 'video';

/** Product and tool tiles. */
export type ProductTile = 'p-recovery' | 'p-dup' | 'p-repair' | 'p-pdf' | 'p-ferry' | 't-video' | 't-photo' | 't-file';

/** Drawings of `public/art` with their own sizes. A picture that says something has its words in the content beside it. */
export const drawings = {
  'texture-hero': { src: '/art/shared.svg#texture-hero', width: 1376, height: 760 },
  'texture-cta': { src: '/art/shared.svg#texture-cta', width: 1376, height: 560 },
  mark: { src: '/art/shared.svg#mark', width: 360, height: 360 },
  'not-found': { src: '/art/shared.svg#not-found', width: 440, height: 210 },
  window: { src: '/art/window.svg#window', width: 1120, height: 600 },
  seam: { src: '/art/kite.svg#seam', width: 960, height: 600 },
  deleted: { src: '/art/home.svg#deleted', width: 640, height: 330 },
  'wont-open': { src: '/art/home.svg#wont-open', width: 520, height: 330 },
  chats: { src: '/art/home.svg#chats', width: 480, height: 300 },
  copies: { src: '/art/home.svg#copies', width: 640, height: 380 },
  pdf: { src: '/art/home.svg#pdf', width: 520, height: 260 },
  choose: { src: '/art/recovery.svg#choose', width: 384, height: 256 },
  scan: { src: '/art/recovery.svg#scan', width: 384, height: 256 },
  select: { src: '/art/recovery.svg#select', width: 384, height: 256 },
  scans: { src: '/art/recovery.svg#scans', width: 600, height: 330 },
  preview: { src: '/art/recovery.svg#preview', width: 600, height: 380 },
  recover: { src: '/art/store.svg#recover', width: 384, height: 256 },
  crossing: { src: '/art/ferry.svg#crossing', width: 1200, height: 560 },
  'crossing-small': { src: '/art/ferry.svg#crossing-small', width: 480, height: 300 },
  'back-up': { src: '/art/ferry.svg#back-up', width: 384, height: 256 },
  connect: { src: '/art/ferry.svg#connect', width: 384, height: 256 },
  restore: { src: '/art/ferry.svg#restore', width: 384, height: 256 },
} as const satisfies Record<string, { src: string; width: number; height: number }>;

export type DrawingName = keyof typeof drawings;
