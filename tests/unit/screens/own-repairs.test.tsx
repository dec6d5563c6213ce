import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { OwnRepairs } from '@/components/repair/own-repairs';
import { useOwnRepairs } from '@/store/own-repairs';
import { answers, hangs, loses, refuses, standInForApi } from '../../support/screen-setup';

standInForApi();
beforeEach(() => useOwnRepairs.setState({ state: { is: 'unasked' } }));

const id = 'a'.repeat(64);
const task = {
  id,
  type: 18,
  fileName: 'mine.pdf',
  fileSize: 2048,
  status: 'success',
  createdAt: '2026-11-22T06:00:00Z',
  expiresAt: '2026-11-23T05:50:00Z',
};
const open = async () => {
  render(<OwnRepairs />);
  await userEvent.click(screen.getByText('Your files on our server'));
};

describe('the visitor’s own repairs', () => {
  it('are on their way', async () => {
    hangs('get', '/repair/tasks');
    await open();
    expect(screen.getByRole('status').textContent).toBe('One moment …');
  });

  it('are none', async () => {
    answers('get', '/repair/tasks', { most: 20, tasks: [] });
    await open();
    expect(await screen.findByText('Nothing of yours lies there.')).toBeDefined();
  });

  it('are asked for where the list was opened before the framework was there', async () => {
    answers('get', '/repair/tasks', { most: 20, tasks: [task] });
    const container = document.createElement('div');
    document.body.append(container);
    container.innerHTML = renderToString(<OwnRepairs />);
    container.querySelector('details')?.setAttribute('open', '');
    // jsdom tells of it in a task of its own, as browsers do: before anybody listens.
    await new Promise((resolve) => setTimeout(resolve));
    render(<OwnRepairs />, { container, hydrate: true });
    expect(await screen.findByText('mine.pdf')).toBeDefined();
  });

  it.each([
    ['repaired', 'repaired'],
    ['partly', 'partly repaired'],
    ['healthy', 'nothing wrong with it'],
    [undefined, 'repaired'],
  ])('say how they ended: %s', async (verdict, words) => {
    answers('get', '/repair/tasks', { most: 20, tasks: [{ ...task, verdict }] });
    await open();
    expect(await screen.findByText(new RegExp(`, ${words}$`))).toBeDefined();
  });

  it('did not load: says so, and tries again', async () => {
    loses('get', '/repair/tasks');
    await open();
    expect((await screen.findByRole('alert')).textContent).toMatch(/can’t be reached/);
    answers('get', '/repair/tasks', { most: 20, tasks: [task] });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('mine.pdf')).toBeDefined();
  });

  it('are unknown to another API, which says so', async () => {
    refuses('get', '/repair/tasks', 'There is no such address.');
    await open();
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such address.');
  });

  it('are deleted one by one; what was lost on the way is said, what is gone already goes', async () => {
    answers('get', '/repair/tasks', {
      most: 20,
      tasks: [task, { ...task, id: 'b'.repeat(64), fileName: 'other.pdf' }],
    });
    await open();
    expect(await screen.findByText(/^2 of at most 20/)).toBeDefined();
    loses('delete', `/repair/tasks/${id}`);
    await userEvent.click(screen.getByRole('button', { name: 'Delete mine.pdf' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/can’t be reached/);
    answers('delete', `/repair/tasks/${id}`, null);
    await userEvent.click(screen.getByRole('button', { name: 'Delete mine.pdf' }));
    expect(await screen.findByText(/^1 of at most 20/)).toBeDefined();
    expect(screen.queryByText('mine.pdf')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('list'));
    refuses('delete', `/repair/tasks/${'b'.repeat(64)}`, 'There is no such repair.');
    await userEvent.click(screen.getByRole('button', { name: 'Delete other.pdf' }));
    expect(await screen.findByText('Nothing of yours lies there.')).toBeDefined();
  });
});
