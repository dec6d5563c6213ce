/** Two-letter country codes (ISO 3166-1 alpha-2). */
const codes =
  'AF AX AL DZ AS AD AO AI AQ AG AR AM AW AU AT AZ BS BH BD BB BY BE BZ BJ BM BT BO BQ BA BW BV BR IO BN BG BF BI CV KH CM CA KY CF TD CL CN CX CC CO KM CG CD CK CR CI HR CU CW CY CZ DK DJ DM DO EC EG SV GQ ER EE SZ ET FK FO FJ FI FR GF PF TF GA GM GE DE GH GI GR GL GD GP GU GT GG GN GW GY HT HM VA HN HK HU IS IN ID IR IQ IE IM IL IT JM JP JE JO KZ KE KI KP KR KW KG LA LV LB LS LR LY LI LT LU MO MG MW MY MV ML MT MH MQ MR MU YT MX FM MD MC MN ME MS MA MZ MM NA NR NP NL NC NZ NI NE NG NU NF MK MP NO OM PK PW PS PA PG PY PE PH PN PL PT PR QA RE RO RU RW BL SH KN LC MF PM VC WS SM ST SA SN RS SC SL SG SX SK SI SB SO ZA GS SS ES LK SD SR SJ SE CH SY TW TJ TZ TH TL TG TK TO TT TN TR TM TC TV UG UA AE GB US UM UY UZ VU VE VN VG VI WF EH YE ZM ZW';

/** The code of a country that is given by its code or its English name; null for anything else. */
export function countryCode(given: string): string | null {
  const wanted = given.trim().toLowerCase();
  const found = countries().find(({ code, name }) => code.toLowerCase() === wanted || name.toLowerCase() === wanted);
  return found?.code ?? null;
}

type Country = { readonly code: string; readonly name: string };
let all: readonly Country[] | undefined;

/** Countries with their English names, sorted by name; made when they are first asked for, as naming and sorting them takes a while. */
export function countries(): readonly Country[] {
  all ??= named();
  return all;
}

function named(): Country[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return codes
    .split(' ')
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
