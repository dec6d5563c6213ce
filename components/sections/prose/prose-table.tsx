import { RichText } from '../shared/rich-text';
import { TableHead } from '../shared/table-head';
import styles from '../texts.module.scss';

type ProseTableProps = { caption: string; columns: readonly string[]; rows: readonly (readonly string[])[] };

/** A table in running text. */
export function ProseTable({ caption, columns, rows }: ProseTableProps) {
  return (
    <table className={styles.proseTable}>
      <TableHead caption={caption} columns={columns} />
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]}>
            {row.map((cell, index) => (
              <td key={columns[index]} data-label={columns[index]}>
                <RichText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
