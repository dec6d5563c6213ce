import { Band, Head } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import type { CompareValue, SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';
import { More } from '../shared/actions';
import { TableHead } from '../shared/table-head';

/** A real table of three columns; Yes and No are written, the icon only supports. */
export function Compare({ section }: { section: SectionOf<'compare'> }) {
  const { title, lead, caption, columns, rows, more, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} near={!lead} />
      <table className={styles.compareTable}>
        <TableHead caption={caption} columns={columns} />
        <tbody>
          {rows.map(({ name, values: [first, second] }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Value value={first} />
              </td>
              <td>
                <Value value={second} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && (
        <p className={styles.compareMore}>
          <More {...more} />
        </p>
      )}
    </Band>
  );
}

function Value({ value }: { value: CompareValue }) {
  if (typeof value === 'string') return value;
  return (
    <span className={cx(styles.compareAnswer, value ? styles.compareYes : styles.compareNo)}>
      <Icon name={value ? 'check' : 'x'} />
      {value ? 'Yes' : 'No'}
    </span>
  );
}
