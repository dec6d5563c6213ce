import 'server-only';
import {
  type BackendMessage,
  CommandCompleteMessage,
  DataRowMessage,
  type Field,
  ParameterDescriptionMessage,
  RowDescriptionMessage,
} from 'pg-protocol/dist/messages.js';

/** A value out of the text of a field, and the number of its type. */
type Parse = (text: string, type: number) => unknown;
/** How fields become values, by the number of their type; what stands in none of the tables stays text. */
type Parsers = Readonly<Record<number, Parse | undefined>>;

/** What the engine told of a statement that it has read: the types of its values, and the fields of the rows that it gives. */
export type Described = { types: readonly number[]; fields: readonly Field[] };

/** Rows as the embedded library gives them (`Results` there): objects by field name, or lists in the order of the fields. */
export type Answered = {
  rows: unknown[];
  fields: { name: string; dataTypeID: number }[];
  affectedRows: number;
  command?: string;
  rowCount?: number;
};

/** Commands whose tag counts rows that were changed (PostgreSQL manual, "Message Formats", CommandComplete). */
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'COPY', 'MERGE']);

/** The description out of the answer to Parse and Describe. */
export function describedIn(heard: readonly BackendMessage[]): Described {
  let types: readonly number[] = [];
  let fields: readonly Field[] = [];
  for (const message of heard) {
    if (message instanceof ParameterDescriptionMessage) types = message.dataTypeIDs;
    if (message instanceof RowDescriptionMessage) fields = message.fields;
  }
  return { types, fields };
}

/** The rows out of the answer to Bind and Execute. `parsers`: tables in the order in which they are asked. */
export function answerOf(
  heard: readonly BackendMessage[],
  fields: readonly Field[],
  { rowMode, parsers }: { rowMode?: 'array' | 'object' | undefined; parsers: readonly (Parsers | undefined)[] },
): Answered {
  const columns = fields.map(({ name, dataTypeID }) => {
    const parse = parsers.find((table) => table?.[dataTypeID])?.[dataTypeID];
    const read = (field: string | null) => (field === null || !parse ? field : parse(field, dataTypeID));
    return { name, read };
  });
  const answer: Answered = {
    rows: [],
    fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })),
    affectedRows: 0,
  };
  for (const message of heard) {
    if (message instanceof DataRowMessage) {
      const values = columns.map(({ read }, index) => read(message.fields[index]));
      answer.rows.push(
        rowMode === 'array' ? values : Object.fromEntries(columns.map(({ name }, index) => [name, values[index]])),
      );
    } else if (message instanceof CommandCompleteMessage) {
      const [command = '', ...counts] = message.text.split(' ');
      const count = Number(counts.at(-1));
      answer.command = command;
      if (counts.length > 0 && Number.isInteger(count)) answer.rowCount = count;
      if (changing.has(command)) answer.affectedRows = count;
    }
  }
  return answer;
}
