/** Claims that pages show, each once, and no others (lib/contract/README.md, 2). */
export const statistics = {
  downloads: '75M+',
  users: '60M+',
  /** Never on one page with {@link statistics.users}. */
  usersOver: 'over 1M',
  experts: '160+',
  countries: '190+',
  years: 'about 10 years',
  lossScenarios: '500+',
  fileTypesMac: 'over 1000',
  fileTypesWindows: '2000+',
  successRateMac: '95%',
  successRateWindows: '98.6%',
} as const;

/** Money-back guarantee in days: 30 for Data Recovery for Windows, 7 for everything else (lib/contract/README.md, 3). */
export const guaranteeDays = { recoveryWindows: 30, everythingElse: 7 } as const;

/** The sentence for pages that cover both guarantees. */
export const guaranteeSentence = `${guaranteeDays.recoveryWindows} days for Data Recovery for Windows, ${guaranteeDays.everythingElse} days for everything else.`;

export const support = { replyHours: 24, hours: '24/7', encryption: '256-bit SSL' } as const;

/** System requirements (lib/contract/README.md, 7). */
export const requirements = {
  windows: 'Windows XP to 11',
  windowsServer: 'Windows Server 2003 to 2022',
  mac: 'macOS 10.10 to 14',
  ios: 'iOS 9 to 17',
  android: 'Android 4.6 to 14',
  duplicateWindows: 'Windows 7 to 11',
  duplicateMac: 'macOS 10.11 or later',
  whatsapp: {
    cpu: 'at least 1 GHz',
    ram: '512 MB (1024 MB recommended)',
    disk: 'over 200 MB',
  },
} as const;

/** Date of the privacy policy, as shown. */
export const privacyPolicyDate = 'May 9, 2024';

/** Playback error codes that pages name as examples (lib/contract/README.md, 8). */
export const playbackErrors = ['0xc00d36c4', '224003', '232011'] as const;
