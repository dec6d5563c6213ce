import type { AnchorHTMLAttributes, ReactNode } from 'react';

type QueryLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { href: string; children: ReactNode };

/**
 * A link inside the site. It is a plain anchor: the one listener of {@link LinkNavigation} keeps the query parameters
 * and moves within the app, so a page with eighty links hydrates none of them.
 */
export function QueryLink({ href, children, ...rest }: QueryLinkProps) {
  return (
    <a href={href} {...rest}>
      {children}
    </a>
  );
}
