import { Band, Head } from '@/components/ui/band';
import { headingId } from '@/lib/content/heading-id';
import type { ResultRow, ResultTable, SectionOf } from '@/lib/content/sections';
import { TableHead } from '../shared/table-head';
import styles from '../texts.module.scss';

/** Tables of measured values, in percent of what the original holds, each row with a bar that says the same. */
export function Results({ section }: { section: SectionOf<'results'> }) {
  const { title, lead, tables, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} near />
      {tables.map((table) => (
        <ResultsTable key={table.caption} table={table} />
      ))}
    </Band>
  );
}

function ResultsTable({ table }: { table: ResultTable }) {
  const { title, note, caption, rows, first, failures = [] } = table;
  const isSampled = rows.some(({ withSample }) => withSample !== null);
  const columns = [
    first,
    'Files',
    'As it is',
    'Best other free tool',
    'Mendara',
    ...(isSampled ? ['With a sample'] : []),
  ];
  return (
    <>
      {title && <h3 id={headingId(title)}>{title}</h3>}
      {note && <p className={styles.resultsNote}>{note}</p>}
      <table className={styles.resultsTable}>
        <TableHead caption={caption} columns={columns} />
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
      {failures.length > 0 && <Failures of={title ?? caption} failures={failures} />}
    </>
  );
}

function Row({ row, columns }: { row: ResultRow; columns: readonly string[] }) {
  const { name, href, files, damaged, tool, repaired, withSample } = row;
  const cells = [
    files.toLocaleString('en-US'),
    inWords(damaged),
    tool ? `${inWords(tool.value)} ${tool.name}` : 'none found',
  ];
  return (
    <tr>
      <th scope="row">{href ? <a href={href}>{name}</a> : name}</th>
      {cells.map((cell, index) => (
        <td key={columns[index + 1]} data-label={columns[index + 1]}>
          {cell}
        </td>
      ))}
      <td data-label={columns[4]} className={styles.resultsOurs}>
        <Bar damaged={damaged} repaired={repaired} />
        <b>{inWords(repaired)}</b>
      </td>
      {columns[5] && <td data-label={columns[5]}>{withSample === null ? '' : inWords(withSample)}</td>}
    </tr>
  );
}

const inWords = (percent: number) => percent.toFixed(1);

/** What could be read before, and what came back on top of it. */
function Bar({ damaged, repaired }: { damaged: number; repaired: number }) {
  return (
    <svg
      width="100"
      height="8"
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
      className={styles.resultsBar}
    >
      <rect width="100" height="8" />
      <rect width={repaired} height="8" />
      <rect width={Math.min(damaged, repaired)} height="8" />
    </svg>
  );
}

function Failures({ of, failures }: { of: string; failures: readonly string[] }) {
  return (
    <details className={styles.resultsFailures}>
      <summary>
        {failures.length} of which less than half comes back <span className="sr">({of})</span>
      </summary>
      <ul>
        {failures.map((failure) => (
          <li key={failure}>{failure}</li>
        ))}
      </ul>
    </details>
  );
}
