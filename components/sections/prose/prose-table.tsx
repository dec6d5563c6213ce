import { RichText } from '../shared/rich-text';
import styles from '../texts.module.scss';

type ProseTableProps = { caption: string; columns: readonly string[]; rows: readonly (readonly string[])[] };

/** A table in running text. */
export function ProseTable({ caption, columns, rows }: ProseTableProps) {
  return (
    <table className={styles.proseTable}>
      <caption className="sr">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
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
