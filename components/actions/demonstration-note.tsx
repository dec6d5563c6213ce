import { cx } from '@/components/ui/cx';
import { DEMONSTRATION } from '@/lib/catalog/demonstration';
import { platforms, type Website } from '@/lib/catalog/types';

/**
 * Says beside a download, before it is pressed, that what comes is a demonstration file: of the visitor's own system, or of one. It is
 * hidden in every page of the build, and the server shows those that it has found to be true: it knows them by both attributes, in this
 * order (lib/cli/front/demonstrations.ts).
 */
export function DemonstrationNote({
  website,
  systems = platforms,
  className,
}: {
  website: Website;
  systems?: typeof platforms | readonly [(typeof platforms)[number]];
  className?: string | undefined;
}) {
  return systems.map((os) => (
    <p key={os} className={cx(className, systems.length > 1 && `for-${os}`)} data-of={`${website}-${os}`} hidden>
      {DEMONSTRATION}
    </p>
  ));
}
