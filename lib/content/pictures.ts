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
  'mark-ferry': { src: '/art/shared.svg#mark-ferry', width: 360, height: 360 },
  'mark-light': { src: '/art/shared.svg#mark-light', width: 384, height: 256 },
  'not-found': { src: '/art/shared.svg#not-found', width: 440, height: 210 },
  'g-over': { src: '/art/guides.svg#g-over', width: 600, height: 320 },
  'g-drives': { src: '/art/guides.svg#g-drives', width: 600, height: 320 },
  'g-bin': { src: '/art/guides.svg#g-bin', width: 600, height: 320 },
  'g-versions': { src: '/art/guides.svg#g-versions', width: 600, height: 320 },
  'g-trim': { src: '/art/guides.svg#g-trim', width: 600, height: 320 },
  'g-format': { src: '/art/guides.svg#g-format', width: 600, height: 320 },
  'g-card': { src: '/art/guides.svg#g-card', width: 600, height: 320 },
  'g-table': { src: '/art/guides.svg#g-table', width: 600, height: 320 },
  'g-players': { src: '/art/guides.svg#g-players', width: 600, height: 320 },
  'g-code-a': { src: '/art/guides.svg#g-code-a', width: 600, height: 320 },
  'g-code-b': { src: '/art/guides.svg#g-code-b', width: 600, height: 320 },
  'g-code-c': { src: '/art/guides.svg#g-code-c', width: 600, height: 320 },
  'g-pieces': { src: '/art/guides.svg#g-pieces', width: 600, height: 320 },
  'g-half': { src: '/art/guides.svg#g-half', width: 600, height: 320 },
  'g-recording': { src: '/art/guides.svg#g-recording', width: 600, height: 320 },
  'g-sample': { src: '/art/guides.svg#g-sample', width: 600, height: 320 },
  'g-grey': { src: '/art/guides.svg#g-grey', width: 600, height: 320 },
  'g-preview': { src: '/art/guides.svg#g-preview', width: 600, height: 320 },
  'g-zip': { src: '/art/guides.svg#g-zip', width: 600, height: 320 },
  'g-open-repair': { src: '/art/guides.svg#g-open-repair', width: 600, height: 320 },
  'g-sheet': { src: '/art/guides.svg#g-sheet', width: 600, height: 320 },
  'g-pdf-table': { src: '/art/guides.svg#g-pdf-table', width: 600, height: 320 },
  'g-readers': { src: '/art/guides.svg#g-readers', width: 600, height: 320 },
  'g-order': { src: '/art/guides.svg#g-order', width: 600, height: 320 },
  'g-stick': { src: '/art/guides.svg#g-stick', width: 600, height: 320 },
  'g-storage': { src: '/art/guides.svg#g-storage', width: 600, height: 320 },
  'g-copies-row': { src: '/art/guides.svg#g-copies-row', width: 600, height: 320 },
  'g-similar': { src: '/art/guides.svg#g-similar', width: 600, height: 320 },
  'g-three-copies': { src: '/art/guides.svg#g-three-copies', width: 600, height: 320 },
  'g-bubbles': { src: '/art/guides.svg#g-bubbles', width: 600, height: 320 },
  'g-bring-back': { src: '/art/guides.svg#g-bring-back', width: 600, height: 320 },
  'g-eject': { src: '/art/guides.svg#g-eject', width: 600, height: 320 },
  window: { src: '/art/window.svg#window', width: 1120, height: 600 },
  seam: { src: '/art/window.svg#seam', width: 960, height: 600 },
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
  'mac-window': { src: '/art/mac.svg#mac-window', width: 1120, height: 600 },
  'mac-choose': { src: '/art/mac.svg#mac-choose', width: 384, height: 256 },
  'mac-scan': { src: '/art/mac.svg#mac-scan', width: 384, height: 256 },
  'mac-recover': { src: '/art/mac.svg#mac-recover', width: 384, height: 256 },
  'mac-trash': { src: '/art/mac.svg#mac-trash', width: 600, height: 380 },
  'mac-filter': { src: '/art/mac.svg#mac-filter', width: 600, height: 380 },
  'win-drives': { src: '/art/screens.svg#win-drives', width: 1120, height: 600 },
  'win-repair': { src: '/art/screens.svg#win-repair', width: 1120, height: 600 },
  'win-recovering': { src: '/art/screens.svg#win-recovering', width: 1120, height: 600 },
  'mac-drives': { src: '/art/screens-mac.svg#mac-drives', width: 1120, height: 600 },
  'mac-repair': { src: '/art/screens-mac.svg#mac-repair', width: 1120, height: 600 },
  'mac-recovering': { src: '/art/screens-mac.svg#mac-recovering', width: 1120, height: 600 },
  'dup-window': { src: '/art/dup.svg#dup-window', width: 1120, height: 600 },
  'dup-similar': { src: '/art/dup.svg#dup-similar', width: 1120, height: 600 },
  'dup-setup': { src: '/art/dup.svg#dup-setup', width: 1120, height: 600 },
  'dup-choose': { src: '/art/dup.svg#dup-choose', width: 384, height: 256 },
  'dup-scan': { src: '/art/dup.svg#dup-scan', width: 384, height: 256 },
  'dup-preview': { src: '/art/dup.svg#dup-preview', width: 384, height: 256 },
  'dup-delete': { src: '/art/dup.svg#dup-delete', width: 384, height: 256 },
  'dup-rules': { src: '/art/dup.svg#dup-rules', width: 600, height: 380 },
  'dup-cross': { src: '/art/dup.svg#dup-cross', width: 600, height: 380 },
  'dup-limits': { src: '/art/dup.svg#dup-limits', width: 600, height: 380 },
  'video-window': { src: '/art/repair.svg#video-window', width: 1120, height: 600 },
  'video-add': { src: '/art/repair.svg#video-add', width: 384, height: 256 },
  'video-run': { src: '/art/repair.svg#video-run', width: 384, height: 256 },
  'video-look': { src: '/art/repair.svg#video-look', width: 384, height: 256 },
  'video-save': { src: '/art/repair.svg#video-save', width: 384, height: 256 },
  'video-breaks': { src: '/art/repair.svg#video-breaks', width: 600, height: 380 },
  'video-codes': { src: '/art/repair.svg#video-codes', width: 600, height: 380 },
  'photo-window': { src: '/art/repair-photo.svg#photo-window', width: 1120, height: 600 },
  'photo-add': { src: '/art/repair-photo.svg#photo-add', width: 384, height: 256 },
  'photo-run': { src: '/art/repair-photo.svg#photo-run', width: 384, height: 256 },
  'photo-look': { src: '/art/repair-photo.svg#photo-look', width: 384, height: 256 },
  'photo-save': { src: '/art/repair-photo.svg#photo-save', width: 384, height: 256 },
  'photo-raw': { src: '/art/repair-photo.svg#photo-raw', width: 600, height: 380 },
  'photo-ai': { src: '/art/repair-photo.svg#photo-ai', width: 600, height: 380 },
  'photo-grid': { src: '/art/repair-photo.svg#photo-grid', width: 600, height: 380 },
  'file-window': { src: '/art/repair-file.svg#file-window', width: 1120, height: 600 },
  'file-add': { src: '/art/repair-file.svg#file-add', width: 384, height: 256 },
  'file-run': { src: '/art/repair-file.svg#file-run', width: 384, height: 256 },
  'file-look': { src: '/art/repair-file.svg#file-look', width: 384, height: 256 },
  'file-save': { src: '/art/repair-file.svg#file-save', width: 384, height: 256 },
  'file-report': { src: '/art/repair-file.svg#file-report', width: 600, height: 380 },
  'file-container': { src: '/art/repair-file.svg#file-container', width: 600, height: 380 },
  'file-kinds': { src: '/art/repair-file.svg#file-kinds', width: 600, height: 380 },
  toolkit: { src: '/art/toolkit.svg#toolkit', width: 1120, height: 600 },
  'ferry-devices': { src: '/art/ferry-screens.svg#ferry-devices', width: 1120, height: 600 },
  'ferry-backups': { src: '/art/ferry-screens.svg#ferry-backups', width: 1120, height: 600 },
  'ferry-export': { src: '/art/ferry-screens.svg#ferry-export', width: 1120, height: 600 },
  'ferry-merge': { src: '/art/ferry-features.svg#ferry-merge', width: 600, height: 380 },
  'ferry-lock': { src: '/art/ferry-features.svg#ferry-lock', width: 600, height: 380 },
  'ferry-pdf': { src: '/art/ferry-features.svg#ferry-pdf', width: 600, height: 380 },
  'ferry-ways': { src: '/art/ferry-features.svg#ferry-ways', width: 600, height: 380 },
  'pdf-window': { src: '/art/pdf.svg#pdf-window', width: 1120, height: 600 },
  'pdf-convert': { src: '/art/pdf.svg#pdf-convert', width: 600, height: 380 },
  'pdf-edit': { src: '/art/pdf.svg#pdf-edit', width: 600, height: 380 },
} as const satisfies Record<string, { src: string; width: number; height: number }>;

export type DrawingName = keyof typeof drawings;
