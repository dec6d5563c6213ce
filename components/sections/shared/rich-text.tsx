import { createElement, Fragment, type ReactNode } from 'react';
import { QueryLink } from '@/components/actions/query-link';
import { isBuilt } from '@/lib/content/routes';

const PARTS = /(\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/;
const LINK = /^\[([^\]]+)\]\(([^)]+)\)$/;

/** Text with `**strong**` words and `[links](/path)`. */
export function RichText({ text }: { text: string }) {
  // Parts never change their order, so they are children by place and need no keys.
  return createElement(Fragment, null, ...text.split(PARTS).map(inline));
}

function inline(part: string): ReactNode {
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  const link = LINK.exec(part);
  return link ? <TextLink label={link[1] ?? ''} href={link[2] ?? ''} /> : part;
}

function TextLink({ label, href }: { label: string; href: string }) {
  if (/^(https?:|mailto:)/.test(href)) return <a href={href}>{label}</a>;
  return isBuilt(href) ? <QueryLink href={href}>{label}</QueryLink> : label;
}
