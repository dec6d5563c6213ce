import 'server-only';
import { refusals } from '../../contract/errors';
import { escapeHtml } from '../base/escape-html';
import type { Outcome } from '../base/refusal';
import type { ApiRequest } from './api-request';
import { isForm } from './body';

/** True when a browser sent a plain form and will show the answer as a page. */
export function wantsPage(request: ApiRequest): boolean {
  return isForm(request) && (request.headers.get('accept') ?? '').includes('text/html');
}

/** The answer to a form of a page without JavaScript: what came of it in words, and the way back. */
export function plainPage(outcome: Outcome<unknown>, done: string, back: { href: string; label: string }): Response {
  const words = outcome.ok ? done : (outcome.error.msg ?? refusals[outcome.error.name].msg);
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    '<link rel="stylesheet" href="/plain.css">',
    `<title>${escapeHtml(words)}</title></head><body><main><h1>${escapeHtml(words)}</h1>`,
    `<p><a href="${escapeHtml(back.href)}">${escapeHtml(back.label)}</a></p></main></body></html>`,
  ].join('');
  return new Response(html, {
    status: outcome.ok ? 200 : refusals[outcome.error.name].status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    },
  });
}
