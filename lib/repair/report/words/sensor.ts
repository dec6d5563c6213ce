/** How the sensor data of a raw photo was mended. */
export const sensorMended = {
  mended: 'The sensor data was read on behind the damage, laid where it belongs and packed anew.',
  slipped: 'The sensor data behind the place where bytes were lost or added was moved back to where it belongs.',
  filled: 'Values that were overwritten were filled from the rows above and below.',
  colours: 'Rows of a colour whose data is lost were made of the other colours, and the sensor data was packed anew.',
} as const;
