import { Band, Head } from '@/components/ui/band';
import { Icon } from '@/components/ui/icon';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';

/** Devices in a hairline grid, file types beside them. */
export function Lists({ section }: { section: SectionOf<'lists'> }) {
  const { title, lead, devices, types, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} />
      <div className={styles.lists}>
        <div>
          <h3>{devices.title}</h3>
          <ul className={styles.listsDevices}>
            {devices.items.map(({ icon, label }) => (
              <li key={label}>
                <Icon name={icon} />
                {label}
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>{types.title}</h3>
          <dl className={styles.listsTypes}>
            {types.groups.map(({ name, list }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{list}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Band>
  );
}
