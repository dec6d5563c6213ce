/** Version of the engine's behaviour, written into every report. */
export const engineVersion = '1.0.0';
