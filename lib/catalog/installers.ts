import type { Platform, Website } from './types';

const endings = { win: 'exe', mac: 'dmg' } as const satisfies Record<Platform, string>;

/** The name under which the vendor keeps an installer (lib/contract/README.md, 81), such as `recovery-win.exe`. */
export function installerFile(website: Website, os: Platform): string {
  return `${website}-${os}.${endings[os]}`;
}

/** The ending of an installer for a system. */
export const installerEnding = (os: Platform): string => endings[os];
