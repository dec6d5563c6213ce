import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { Compare } from '@/components/sections/compare/compare';
import { FaqSearch } from '@/components/sections/faqs/faq-search';
import { RichText } from '@/components/sections/shared/rich-text';
import { Tabs } from '@/components/ui/tabs';

describe('rich text', () => {
  it('draws strong words and links, and only the words of a link to nowhere', () => {
    const { container } = render(<RichText text="Ask **us** in [your account](/account) or [there](/nowhere)." />);
    expect(container.innerHTML).toBe('Ask <strong>us</strong> in <a href="/account">your account</a> or there.');
  });
});

describe('tabs', () => {
  const tabs = [
    { id: 'win', label: 'Windows', panel: 'on a PC' },
    { id: 'mac', label: 'Mac', panel: 'on a Mac' },
  ];
  beforeEach(() => window.history.replaceState(null, '', '/'));

  it('move by arrow keys and end at the ends', async () => {
    render(<Tabs label="Your computer" tabs={tabs} />);
    screen.getByRole('tab', { name: 'Windows' }).focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Mac' }).getAttribute('aria-selected')).toBe('true');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Mac' }));
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Windows' }).getAttribute('aria-selected')).toBe('true');
    await userEvent.keyboard('{End}');
    expect(screen.getByRole('tab', { name: 'Mac' }).getAttribute('aria-selected')).toBe('true');
  });

  it('follow the query, and else the device, whose system comes first', () => {
    window.history.replaceState(null, '', '/?ufrom=mac');
    const { unmount } = render(<Tabs label="Your computer" tabs={tabs} byPlatform />);
    expect(screen.getByRole('tab', { name: 'Mac' }).getAttribute('aria-selected')).toBe('true');
    unmount();
    window.history.replaceState(null, '', '/?ufrom=linux');
    render(<Tabs label="Your computer" tabs={tabs} byPlatform />);
    expect(screen.getByRole('tab', { name: 'Windows' }).getAttribute('aria-selected')).toBe('true');
    cleanup();
    document.documentElement.dataset.platform = 'mac';
    render(<Tabs label="Your computer" tabs={tabs} byPlatform />);
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Mac', 'Windows']);
    expect(screen.getByRole('tab', { name: 'Mac' }).getAttribute('aria-selected')).toBe('true');
    delete document.documentElement.dataset.platform;
  });

  it('keep every panel in the page', () => {
    render(<Tabs label="Your computer" tabs={tabs} />);
    expect(screen.getByText('on a PC')).toBeTruthy();
    expect(screen.getByText('on a Mac')).toBeTruthy();
  });
});

describe('comparison table', () => {
  it('writes Yes and No in words', () => {
    render(
      <Compare
        section={{
          kind: 'compare',
          title: 'Online or desktop',
          caption: 'Compared',
          columns: ['Type', 'Online', 'Desktop'],
          rows: [{ name: 'Preview', values: [false, true] }],
        }}
      />,
    );
    expect(screen.getByRole('row', { name: 'Preview No Yes' })).toBeTruthy();
    expect(screen.getByRole('table', { name: 'Compared' })).toBeTruthy();
  });
});

describe('search in the questions', () => {
  it('shows what holds every word and says how many', async () => {
    document.body.innerHTML = `<div id="q"><section data-topic><details><summary>Refund</summary>30 days</details></section>
      <section data-topic><details><summary>Password</summary>Reset it</details></section></div>`;
    render(<FaqSearch target="q" />);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search the questions' }), 'refund days');
    // The list of words is loaded with the first letter, and searched once it is there.
    await expect.poll(() => screen.getByRole('status').textContent).toBe('One question');
    const [first, second] = document.querySelectorAll<HTMLElement>('[data-topic]');
    expect(first?.hidden).toBe(false);
    expect(second?.hidden).toBe(true);
  });
});
