import type { Platform, Website } from '../catalog/types';

/** What is read from an installer's file. `version` is null where the file does not say it. */
export type InstallerFacts = { size: number; sha256: string; version: string | null; demonstration: boolean };

/** One row of `GET /recovery/installers`; the facts are null for installers that lie elsewhere or are missing. */
export type InstallerRow = { website: Website; os: Platform; fileName: string; url: string } & (
  | InstallerFacts
  | { [Fact in keyof InstallerFacts]: null }
);
