import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ContactForm } from '@/components/actions/contact-form';
import { answers, refuses, sent, standInForApi } from '../../support/screen-setup';

standInForApi();

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(name));
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send message' }));

it('says beside its fields what is missing, and goes to the first of them', async () => {
  render(<ContactForm title="Your message" />);
  await send();
  expect(await screen.findByText('Please enter your e-mail address, so that we can answer.')).toBeTruthy();
  expect(screen.getByText('Please write your message.')).toBeTruthy();
  await expect.poll(() => document.activeElement).toBe(field('E-mail'));
  expect(sent.size).toBe(0);
});

it('says why a message was not sent, and has the focus where it says that it was', async () => {
  render(<ContactForm title="Your message" />);
  await userEvent.type(field('E-mail'), 'ann@example.com');
  await userEvent.type(field('Message'), 'Hello.');
  refuses('post', '/contact', 'Too many attempts.', 429);
  await send();
  expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts.');
  expect(field('Message').value).toBe('Hello.');
  answers('post', '/contact', null);
  await send();
  const said = await screen.findByRole('status');
  expect(said.textContent).toBe('Your message was sent. We reply within 24 hours.');
  // What stands beside the form goes on with headings of the next level.
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Your message');
  // The form is gone, and the button in it: the focus must not start again at the top of the page.
  await expect.poll(() => document.activeElement?.contains(said)).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});

it('keeps all of a message that is too long, and says how long it may be', async () => {
  render(<ContactForm title="Your message" />);
  await userEvent.type(field('E-mail'), 'ann@example.com');
  await userEvent.click(field('Message'));
  await userEvent.paste('x'.repeat(5001));
  expect(field('Message').value).toHaveLength(5001);
  await send();
  expect(await screen.findByText('Please use at most 5,000 characters for your message; it has 5,001.')).toBeTruthy();
  await expect.poll(() => document.activeElement).toBe(field('Message'));
  expect(sent.size).toBe(0);
});
