import { readFileSync } from 'node:fs';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import PageError from '@/app/error';
import { riseBelow } from '@/components/layout/rise-below';
import { limits } from '@/lib/catalog/limits';
import { AppError } from '@/lib/utils/app-error';
import { runGuard } from '@/store/guards';

const init = vi.hoisted(() => vi.fn());
vi.mock('aos', () => ({ default: { init, refresh: () => {}, refreshHard: () => {} } }));

const tokens = readFileSync('styles/_tokens.scss', 'utf8');
const token = (name: string) => new RegExp(`--${name}: (\\d+)ms`).exec(tokens)?.[1];

afterEach(cleanup);

describe('the times of the catalogue', () => {
  it('are the same in style sheets', () => {
    expect(Number(token('d-rise'))).toBe(limits.animationMs);
    expect(Number(token('d-load'))).toBe(limits.loadingDelayMs);
  });

  it('rule the animation: 1000 ms, once', () => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        disconnect() {}
      },
    );
    riseBelow([])();
    expect(init).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ duration: 1000, once: true }));
  });

  it('delay every loading state that waits for an answer', () => {
    for (const file of ['components/ui/state.module.scss', 'components/actions/checkout-dialog.module.scss']) {
      const [, waiting = ''] = readFileSync(file, 'utf8').split('.waiting {');
      expect(waiting.split('\n}')[0], file).toContain('@include late;');
    }
  });
});

describe('the page of an error', () => {
  it('names the status of the error, and 500 where it has none', () => {
    render(<PageError error={new AppError('Gone', 410)} reset={() => {}} />);
    expect(screen.getByText('Error 410')).toBeTruthy();
    cleanup();
    render(<PageError error={new Error('Something')} reset={() => {}} />);
    expect(screen.getByText('Error 500')).toBeTruthy();
  });

  it('names 500 for a guard that nobody knows', () => {
    let thrown: unknown;
    try {
      runGuard('nobody', { is: 'unknown' });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    render(<PageError error={thrown as AppError} reset={() => {}} />);
    expect(screen.getByText('Error 500')).toBeTruthy();
  });
});
