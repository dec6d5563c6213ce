import { DemonstrationNote } from '@/components/actions/demonstration-note';
import { DownloadButton } from '@/components/actions/download-button';
import { QueryLink } from '@/components/actions/query-link';
import { type ButtonLook, ButtonRow, buttonClass, moreClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import { type Platform, platforms } from '@/lib/catalog/types';
import { isBuilt } from '@/lib/content/routes';
import type { Action, LinkText } from '@/lib/content/sections';

const looks: Record<'page' | 'field', readonly [ButtonLook, ButtonLook]> = {
  page: [{ variant: 'primary' }, { variant: 'line' }],
  field: [{ variant: 'found' }, { variant: 'on-field' }],
};

type ActionsProps = {
  actions: readonly Action[];
  on?: 'page' | 'field';
  className?: string;
  /** Whether the row itself says what is said of its downloads; one that may not wrap leaves it to who draws it. */
  says?: boolean;
};

/**
 * A row of buttons: the first is the primary one, the others are outlined. One that offers a download for each system is
 * in the page twice and the style sheet shows one, so that the visitor's system comes first without a shift.
 */
export function Actions({ actions, on = 'page', className, says = true }: ActionsProps) {
  const rest = { on, says };
  if (!offersBothSystems(actions)) return <Row actions={actions} className={className} {...rest} />;
  return (
    <>
      <Row actions={startingWith('win', actions)} className={cx('for-win', className)} {...rest} />
      <Row actions={startingWith('mac', actions)} className={cx('for-mac', className)} {...rest} />
    </>
  );
}

/** What is said of the first download of a row, or of the visitor's own one where it offers both. */
export function AboutDownload({ actions, className }: { actions: readonly Action[]; className?: string | undefined }) {
  const first = actions.find((action) => action.act === 'download');
  if (!first) return null;
  const systems = first.os && !offersBothSystems(actions) ? ([first.os] as const) : platforms;
  return <DemonstrationNote website={first.website} systems={systems} className={className} />;
}

function offersBothSystems(actions: readonly Action[]): boolean {
  const systems = actions.flatMap((action) => (action.act === 'download' && action.os ? [action.os] : []));
  return new Set(systems).size > 1;
}

function startingWith(os: Platform, actions: readonly Action[]): Action[] {
  const isFirst = (action: Action) => action.act === 'download' && action.os === os;
  return [...actions].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
}

function Row({
  actions,
  on,
  says,
  className,
}: {
  actions: readonly Action[];
  on: 'page' | 'field';
  says: boolean;
  className?: string | undefined;
}) {
  const [first, other] = looks[on];
  return (
    <ButtonRow {...(className ? { className } : {})}>
      {actions.map((action, index) => (
        <ActionButton key={action.label} action={action} className={buttonClass(index === 0 ? first : other)} />
      ))}
      {says ? <AboutDownload actions={actions} className={on === 'page' ? 'small' : undefined} /> : null}
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
