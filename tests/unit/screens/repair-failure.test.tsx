import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FailureState } from '@/components/repair/failure-state';
import { onlineTools } from '@/lib/catalog/tools';
import type { RepairReport, RepairTask } from '@/lib/contract/repair';
import { emptyReport } from '../../support/repair-report';

const task = (change: Partial<RepairReport>): RepairTask => ({
  taskId: 'a'.repeat(32),
  type: 19,
  fileName: 'photo.jpg',
  fileSize: 3,
  status: 'failure',
  queuePosition: null,
  queueSeconds: null,
  report: { ...emptyReport, ...change },
  downloadUrl: null,
  downloadName: null,
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});
const show = (change: Partial<RepairReport>) =>
  render(
    <FailureState
      tool={onlineTools.photo}
      state={{ phase: 'failure', task: task(change), resultUrl: null, error: null }}
    />,
  );

describe('a repair that hands out nothing', () => {
  it('is a failure in its settled words, with the reason below', () => {
    show({});
    expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('Not repaired');
    expect(screen.getByRole('alert').textContent).toContain(onlineTools.photo.failure);
    expect(screen.getAllByText('What the engine says.').length).toBeGreaterThan(0);
  });

  it.each(['reads-best-as-is', 'not-looked-into'] as const)(
    'is none for the reason %s, which has its own words',
    (reason) => {
      show({ reason });
      expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('Nothing was changed');
      expect(screen.getByRole('alert').textContent).toContain('What the engine says.');
      expect(screen.queryByText(onlineTools.photo.failure)).toBeNull();
      expect(screen.getByRole('button', { name: 'Fix another' })).toBeTruthy();
    },
  );
});
