import { DownloadButton } from '@/components/actions/download-button';
import { QueryLink } from '@/components/actions/query-link';
import { type ButtonLook, ButtonRow, buttonClass, moreClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { isBuilt } from '@/lib/content/routes';
import type { Action, LinkText } from '@/lib/content/sections';

const looks: Record<'page' | 'field', readonly [ButtonLook, ButtonLook]> = {
  page: [{ variant: 'primary' }, { variant: 'line' }],
  field: [{ variant: 'found' }, { variant: 'on-field' }],
};

/** A row of buttons: the first is the primary one, the others are outlined. */
export function Actions({
  actions,
  on = 'page',
  className,
}: {
  actions: readonly Action[];
  on?: 'page' | 'field';
  className?: string;
}) {
  const [first, other] = looks[on];
  return (
    <ButtonRow className={className}>
      {actions.map((action, index) => (
        <ActionButton key={action.label} action={action} className={buttonClass(index === 0 ? first : other)} />
      ))}
    </ButtonRow>
  );
}

/** One action with the class names of a button or a text link. */
export function ActionButton({ action, className }: { action: Action; className: string }) {
  if (action.act === 'download') {
    return (
      <DownloadButton website={action.website} os={action.os} className={className}>
        <Icon name="download" /> {action.label}
      </DownloadButton>
    );
  }
  if (!isBuilt(action.href)) return null;
  return (
    <QueryLink href={action.href} className={className}>
      {action.label}
    </QueryLink>
  );
}

/** A text link with an arrow; nothing when its page does not exist. */
export function More({ label, href }: LinkText) {
  if (!isBuilt(href)) return null;
  return (
    <QueryLink className={moreClass} href={href}>
      {label} <Icon name="arrow-right" />
    </QueryLink>
  );
}
