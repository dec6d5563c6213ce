import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Toaster } from '@/components/actions/toaster';
import { showToast, useToasts } from '@/store/toasts';

/** What waits for the next frame. */
let frames: FrameRequestCallback[] = [];

beforeEach(() => {
  frames = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => frames.splice(handle - 1, 1, () => undefined));
  useToasts.setState({ toasts: [] });
  render(<Toaster />);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const paint = () => act(() => frames.splice(0).forEach((callback) => void callback(0)));
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const say = () => act(() => showToast('Saved.'));
const isThere = () => screen.queryByText('Saved.') !== null;

describe('a toast', () => {
  it('has its six seconds from when it is painted, which a tab that nobody looks at is not', () => {
    say();
    pass(60_000);
    expect(isThere()).toBe(true);
    paint();
    pass(5999);
    expect(isThere()).toBe(true);
    pass(1);
    expect(isThere()).toBe(false);
  });

  it('has them anew when it is said again, and after pointer or focus have left it', () => {
    say();
    paint();
    pass(5000);
    say();
    paint();
    pass(5000);
    expect(isThere()).toBe(true);
    const toast = screen.getByText('Saved.');
    fireEvent.pointerEnter(toast);
    pass(60_000);
    fireEvent.pointerLeave(toast);
    paint();
    pass(5999);
    expect(isThere()).toBe(true);
    pass(1);
    expect(isThere()).toBe(false);
  });
});
