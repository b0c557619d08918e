import type { SourceDocument } from '../../src/text/index.ts';

/** Texts as they come: scripts without blanks, characters of two code units, joined ones, odd line ends, speakers and lists. */
export const MANY_SCRIPTS: readonly SourceDocument[] = [
  {
    id: 'zh',
    title: '市议会',
    text: '市议会批准了老城区四欧元的拥堵费。拥堵费的收入将用于电车网络。居民只需支付一半的费用。\r\n警方要求增加十二个新的摄像头。',
  },
  {
    id: 'ja',
    text: '市議会は旧市街の混雑料金を承認した。料金は九月一日から始まる。「路面電車は五分ごとに走る」とウェーバー博士は言う。',
  },
  {
    id: 'astral',
    text: '𠮷野家 opened beside the tram stop 🚋 in March. The 👩‍🔧 union approved a congestion charge of 4 euros 💶 for cars. 𝒯𝒽𝑒 𝓉𝓇𝒶𝓂 runs every five minutes, says the naïve cafe\u0301 owner.',
  },
  {
    id: 'speakers',
    text: 'MAYOR: The congestion charge gives the city the money for a second tram line.\r\nRESIDENT: My mother cannot walk to the tram stop, and the bus comes only once an hour.\r\n\r\n- Forty new drivers are needed before the line can open.\r\n- Revenue from the charge goes to the tram network.',
  },
  { id: 'ar', text: 'وافق المجلس على رسوم الازدحام في المدينة القديمة. تذهب الإيرادات إلى شبكة الترام.' },
  { id: 'blank', text: ' \n\u00a0\u3000' },
];
