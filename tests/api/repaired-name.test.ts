import { describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/contract/repair';
import { repairedName } from '../../lib/server/repairs/repaired-name';

const report = (verdict: RepairReport['verdict'], format: string | null) => ({ verdict, format }) as RepairReport;

describe('the name of a result', () => {
  it.each([
    ['trip.mp4', 'repaired', 'mp4', 'trip-repaired.mp4'],
    ['trip.jpg', 'partly', 'png', 'trip-repaired.png'],
    ['trip.insv', 'repaired', 'mp4', 'trip-repaired.insv'],
    ['letter.docx', 'healthy', 'docx', 'letter.docx'],
    // No program opens a PDF under the ending of Word.
    ['letter.docx', 'healthy', 'pdf', 'letter.pdf'],
    ['PHOTO.JPG', 'healthy', 'jpg', 'PHOTO.JPG'],
    ['photo.jpeg', 'healthy', 'jpg', 'photo.jpeg'],
    ['photo', 'healthy', 'jpg', 'photo.jpg'],
    ['photo', 'repaired', null, 'photo-repaired'],
    ['.pdf', 'repaired', 'pdf', 'repaired.pdf'],
    ['.pdf', 'healthy', 'pdf', 'file.pdf'],
    ['.JPEG', 'partly', 'jpg', 'repaired.JPEG'],
    ['.pdf', 'repaired', 'docx', 'repaired.docx'],
    ['. ..pdf', 'repaired', 'pdf', 'repaired.pdf'],
    ['...', 'repaired', 'jpg', 'repaired.jpg'],
    ['. .', 'healthy', null, 'file'],
    ['.holiday.jpg', 'repaired', 'jpg', '.holiday-repaired.jpg'],
    ['photo.', 'repaired', 'jpg', 'photo-repaired.jpg'],
  ] as const)('%s, %s as %s, is %s', (name, verdict, format, expected) => {
    expect(repairedName(name, report(verdict, format))).toBe(expected);
  });
});
