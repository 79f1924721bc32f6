-- A store of version 3, made by the program of that version: what people decided before an upgrade, and a row that no sweep has seen.
PRAGMA application_id=1213032818;
PRAGMA user_version=3;
BEGIN TRANSACTION;
CREATE TABLE claim_dirty (
  layer INTEGER NOT NULL,
  id    TEXT NOT NULL,
  PRIMARY KEY (layer, id)
) WITHOUT ROWID;
INSERT INTO claim_dirty VALUES(3,'camera-9');
CREATE TABLE claim_rows (
  layer INTEGER NOT NULL,
  id    TEXT NOT NULL,
  kind  INTEGER NOT NULL,
  key   INTEGER NOT NULL,
  PRIMARY KEY (layer, id, kind, key)
) WITHOUT ROWID;
INSERT INTO claim_rows VALUES(1,'color-3',1,1370080363097057315);
INSERT INTO claim_rows VALUES(1,'color-3',13,3804765694509603969);
INSERT INTO claim_rows VALUES(1,'flow-1',1,-5556127706992273727);
INSERT INTO claim_rows VALUES(1,'flow-2',1,-5556127706992273727);
INSERT INTO claim_rows VALUES(2,'legs-3',2,7742953381424101574);
INSERT INTO claim_rows VALUES(2,'legs-3',4,-5719977167584463050);
INSERT INTO claim_rows VALUES(2,'legs-3',4,2027238120071530863);
INSERT INTO claim_rows VALUES(2,'support-2',2,-6786340878918300713);
INSERT INTO claim_rows VALUES(2,'support-2',4,-6963890926591173476);
INSERT INTO claim_rows VALUES(2,'support-2',4,-5372905036179028125);
INSERT INTO claim_rows VALUES(2,'support-2',14,-3438102877276705439);
INSERT INTO claim_rows VALUES(3,'camera-1',3,6830332289725886595);
INSERT INTO claim_rows VALUES(3,'camera-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'camera-1',15,515973506519502890);
INSERT INTO claim_rows VALUES(3,'camera-2',3,6830332289725886595);
INSERT INTO claim_rows VALUES(3,'camera-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'camera-2',15,-5391759907102906627);
INSERT INTO claim_rows VALUES(3,'color-1',3,1370080363097057315);
INSERT INTO claim_rows VALUES(3,'color-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'color-1',15,7471995151418550101);
INSERT INTO claim_rows VALUES(3,'color-2',3,1370080363097057315);
INSERT INTO claim_rows VALUES(3,'color-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'color-2',15,-6210127625433242349);
INSERT INTO claim_rows VALUES(3,'g2',3,221901033345604935);
INSERT INTO claim_rows VALUES(3,'g2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'glue-1',3,75401881567034586);
INSERT INTO claim_rows VALUES(3,'glue-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'glue-1',15,-5538622048336784886);
INSERT INTO claim_rows VALUES(3,'guard-1',3,2450951020889838842);
INSERT INTO claim_rows VALUES(3,'guard-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'guard-1',12,1577836800000000);
INSERT INTO claim_rows VALUES(3,'guard-1',12,1609459200000000);
INSERT INTO claim_rows VALUES(3,'guard-1',15,3394372571792637035);
INSERT INTO claim_rows VALUES(3,'guard-2',3,2450951020889838842);
INSERT INTO claim_rows VALUES(3,'guard-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'guard-2',12,1577836800000000);
INSERT INTO claim_rows VALUES(3,'guard-2',12,1609459200000000);
INSERT INTO claim_rows VALUES(3,'guard-2',15,-767010378718543215);
INSERT INTO claim_rows VALUES(3,'guard-3',3,2450951020889838842);
INSERT INTO claim_rows VALUES(3,'guard-3',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'guard-3',12,1767225600000000);
INSERT INTO claim_rows VALUES(3,'guard-3',15,6876985295206048337);
INSERT INTO claim_rows VALUES(3,'guard-4',3,2450951020889838842);
INSERT INTO claim_rows VALUES(3,'guard-4',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'guard-4',12,1767225600000000);
INSERT INTO claim_rows VALUES(3,'guard-4',15,-2997278613301057389);
INSERT INTO claim_rows VALUES(3,'legs-1',3,7742953381424101574);
INSERT INTO claim_rows VALUES(3,'legs-1',6,198643258655125820);
INSERT INTO claim_rows VALUES(3,'legs-2',3,7742953381424101574);
INSERT INTO claim_rows VALUES(3,'legs-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'mount-1',3,-7500207221781941301);
INSERT INTO claim_rows VALUES(3,'mount-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'mount-2',3,-7500207221781941301);
INSERT INTO claim_rows VALUES(3,'mount-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'outer-1',3,8694809451286309111);
INSERT INTO claim_rows VALUES(3,'outer-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'outer-2',3,8694809451286309111);
INSERT INTO claim_rows VALUES(3,'outer-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'outer-3',3,-5486416535987082764);
INSERT INTO claim_rows VALUES(3,'outer-3',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'outer-3',15,-2758126360748105940);
INSERT INTO claim_rows VALUES(3,'outer-4',3,-5486416535987082764);
INSERT INTO claim_rows VALUES(3,'outer-4',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'outer-4',15,7147068749899442091);
INSERT INTO claim_rows VALUES(3,'owner-1',3,-7111266220632047629);
INSERT INTO claim_rows VALUES(3,'owner-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'owner-1',12,1577836800000000);
INSERT INTO claim_rows VALUES(3,'owner-1',12,1609459200000000);
INSERT INTO claim_rows VALUES(3,'owner-1',15,3394372571792637035);
INSERT INTO claim_rows VALUES(3,'owner-2',3,-7111266220632047629);
INSERT INTO claim_rows VALUES(3,'owner-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'owner-2',12,1577836800000000);
INSERT INTO claim_rows VALUES(3,'owner-2',12,1609459200000000);
INSERT INTO claim_rows VALUES(3,'owner-2',15,-767010378718543215);
INSERT INTO claim_rows VALUES(3,'owner-3',3,-7111266220632047629);
INSERT INTO claim_rows VALUES(3,'owner-3',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'owner-3',12,1767225600000000);
INSERT INTO claim_rows VALUES(3,'owner-3',15,6876985295206048337);
INSERT INTO claim_rows VALUES(3,'owner-4',3,-7111266220632047629);
INSERT INTO claim_rows VALUES(3,'owner-4',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'owner-4',12,1767225600000000);
INSERT INTO claim_rows VALUES(3,'owner-4',15,-2997278613301057389);
INSERT INTO claim_rows VALUES(3,'pitch-1',3,675088292500637852);
INSERT INTO claim_rows VALUES(3,'pitch-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'pitch-2',3,675088292500637852);
INSERT INTO claim_rows VALUES(3,'pitch-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'pitch-3',3,675088292500637852);
INSERT INTO claim_rows VALUES(3,'pitch-3',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'spindle-1',3,-31759650284085403);
INSERT INTO claim_rows VALUES(3,'spindle-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'support-1',3,-6786340878918300713);
INSERT INTO claim_rows VALUES(3,'support-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'support-1',15,5925481869227349715);
INSERT INTO claim_rows VALUES(3,'vendor-1',3,2531408651656656622);
INSERT INTO claim_rows VALUES(3,'vendor-1',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'vendor-1',15,-968823024280681004);
INSERT INTO claim_rows VALUES(3,'vendor-2',3,2531408651656656622);
INSERT INTO claim_rows VALUES(3,'vendor-2',6,4852257679182543875);
INSERT INTO claim_rows VALUES(3,'vendor-2',15,-5795280737384434847);
CREATE TABLE claim_slots (
  key  INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  id   TEXT NOT NULL,
  PRIMARY KEY (key, kind, id)
) WITHOUT ROWID;
INSERT INTO claim_slots VALUES(-7500207221781941301,3,'mount-1');
INSERT INTO claim_slots VALUES(-7500207221781941301,3,'mount-2');
INSERT INTO claim_slots VALUES(-7111266220632047629,3,'owner-1');
INSERT INTO claim_slots VALUES(-7111266220632047629,3,'owner-2');
INSERT INTO claim_slots VALUES(-7111266220632047629,3,'owner-3');
INSERT INTO claim_slots VALUES(-7111266220632047629,3,'owner-4');
INSERT INTO claim_slots VALUES(-6963890926591173476,4,'support-2');
INSERT INTO claim_slots VALUES(-6786340878918300713,2,'support-2');
INSERT INTO claim_slots VALUES(-6786340878918300713,3,'support-1');
INSERT INTO claim_slots VALUES(-6210127625433242349,15,'color-2');
INSERT INTO claim_slots VALUES(-5795280737384434847,15,'vendor-2');
INSERT INTO claim_slots VALUES(-5719977167584463050,4,'legs-3');
INSERT INTO claim_slots VALUES(-5556127706992273727,1,'flow-1');
INSERT INTO claim_slots VALUES(-5556127706992273727,1,'flow-2');
INSERT INTO claim_slots VALUES(-5538622048336784886,15,'glue-1');
INSERT INTO claim_slots VALUES(-5486416535987082764,3,'outer-3');
INSERT INTO claim_slots VALUES(-5486416535987082764,3,'outer-4');
INSERT INTO claim_slots VALUES(-5391759907102906627,15,'camera-2');
INSERT INTO claim_slots VALUES(-5372905036179028125,4,'support-2');
INSERT INTO claim_slots VALUES(-3438102877276705439,14,'support-2');
INSERT INTO claim_slots VALUES(-2997278613301057389,15,'guard-4');
INSERT INTO claim_slots VALUES(-2997278613301057389,15,'owner-4');
INSERT INTO claim_slots VALUES(-2758126360748105940,15,'outer-3');
INSERT INTO claim_slots VALUES(-968823024280681004,15,'vendor-1');
INSERT INTO claim_slots VALUES(-767010378718543215,15,'guard-2');
INSERT INTO claim_slots VALUES(-767010378718543215,15,'owner-2');
INSERT INTO claim_slots VALUES(-31759650284085403,3,'spindle-1');
INSERT INTO claim_slots VALUES(0,7,'p05');
INSERT INTO claim_slots VALUES(0,7,'q7');
INSERT INTO claim_slots VALUES(0,8,'knowledge');
INSERT INTO claim_slots VALUES(0,8,'preference');
INSERT INTO claim_slots VALUES(0,9,'Decision');
INSERT INTO claim_slots VALUES(1577836800000000,12,'guard-1');
INSERT INTO claim_slots VALUES(1577836800000000,12,'guard-2');
INSERT INTO claim_slots VALUES(1577836800000000,12,'owner-1');
INSERT INTO claim_slots VALUES(1577836800000000,12,'owner-2');
INSERT INTO claim_slots VALUES(1609459200000000,12,'guard-1');
INSERT INTO claim_slots VALUES(1609459200000000,12,'guard-2');
INSERT INTO claim_slots VALUES(1609459200000000,12,'owner-1');
INSERT INTO claim_slots VALUES(1609459200000000,12,'owner-2');
INSERT INTO claim_slots VALUES(1767225600000000,12,'guard-3');
INSERT INTO claim_slots VALUES(1767225600000000,12,'guard-4');
INSERT INTO claim_slots VALUES(1767225600000000,12,'owner-3');
INSERT INTO claim_slots VALUES(1767225600000000,12,'owner-4');
INSERT INTO claim_slots VALUES(75401881567034586,3,'glue-1');
INSERT INTO claim_slots VALUES(198643258655125820,6,'legs-1');
INSERT INTO claim_slots VALUES(221901033345604935,3,'g2');
INSERT INTO claim_slots VALUES(515973506519502890,15,'camera-1');
INSERT INTO claim_slots VALUES(675088292500637852,3,'pitch-1');
INSERT INTO claim_slots VALUES(675088292500637852,3,'pitch-2');
INSERT INTO claim_slots VALUES(675088292500637852,3,'pitch-3');
INSERT INTO claim_slots VALUES(1370080363097057315,1,'color-3');
INSERT INTO claim_slots VALUES(1370080363097057315,3,'color-1');
INSERT INTO claim_slots VALUES(1370080363097057315,3,'color-2');
INSERT INTO claim_slots VALUES(2027238120071530863,4,'legs-3');
INSERT INTO claim_slots VALUES(2450951020889838842,3,'guard-1');
INSERT INTO claim_slots VALUES(2450951020889838842,3,'guard-2');
INSERT INTO claim_slots VALUES(2450951020889838842,3,'guard-3');
INSERT INTO claim_slots VALUES(2450951020889838842,3,'guard-4');
INSERT INTO claim_slots VALUES(2531408651656656622,3,'vendor-1');
INSERT INTO claim_slots VALUES(2531408651656656622,3,'vendor-2');
INSERT INTO claim_slots VALUES(3394372571792637035,15,'guard-1');
INSERT INTO claim_slots VALUES(3394372571792637035,15,'owner-1');
INSERT INTO claim_slots VALUES(3804765694509603969,13,'color-3');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'camera-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'camera-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'color-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'color-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'g2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'glue-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'guard-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'guard-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'guard-3');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'guard-4');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'legs-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'mount-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'mount-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'outer-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'outer-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'outer-3');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'outer-4');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'owner-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'owner-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'owner-3');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'owner-4');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'pitch-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'pitch-2');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'pitch-3');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'spindle-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'support-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'vendor-1');
INSERT INTO claim_slots VALUES(4852257679182543875,6,'vendor-2');
INSERT INTO claim_slots VALUES(5925481869227349715,15,'support-1');
INSERT INTO claim_slots VALUES(6830332289725886595,3,'camera-1');
INSERT INTO claim_slots VALUES(6830332289725886595,3,'camera-2');
INSERT INTO claim_slots VALUES(6876985295206048337,15,'guard-3');
INSERT INTO claim_slots VALUES(6876985295206048337,15,'owner-3');
INSERT INTO claim_slots VALUES(7147068749899442091,15,'outer-4');
INSERT INTO claim_slots VALUES(7471995151418550101,15,'color-1');
INSERT INTO claim_slots VALUES(7742953381424101574,2,'legs-3');
INSERT INTO claim_slots VALUES(7742953381424101574,3,'legs-1');
INSERT INTO claim_slots VALUES(7742953381424101574,3,'legs-2');
INSERT INTO claim_slots VALUES(8694809451286309111,3,'outer-1');
INSERT INTO claim_slots VALUES(8694809451286309111,3,'outer-2');
CREATE TABLE entities (
  id            TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  entity_type   TEXT,
  name          TEXT,
  project       TEXT NOT NULL DEFAULT '',
  description   TEXT,
  properties    TEXT,
  status        TEXT NOT NULL DEFAULT 'active',
  confidence    REAL,
  source_refs   TEXT,
  hand_authored INTEGER,
  valid_from    TEXT,
  valid_until   TEXT,
  superseded_by TEXT,
  superseded_at TEXT,
  created_at    TEXT,
  updated_at    TEXT
);
INSERT INTO entities VALUES('support-2','Decision','lateral support material','p05',NULL,'{"decision_target":"lateral support","decision_field":"material","value":"PEEK"}','active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-02T09:00:00Z',NULL);
INSERT INTO entities VALUES('spindle-2','Decision','spindle speed','p05',NULL,'{"decision_target":"spindle","decision_field":"speed","value":"60 rpm"}','superseded',NULL,NULL,NULL,NULL,NULL,'project_state:spindle-1','2026-11-22T09:24:41Z','2026-03-02T09:00:00Z',NULL);
INSERT INTO entities VALUES('legs-3','Decision','frame legs','p05',NULL,'{"decision_target":"frame","decision_field":"legs","value":"5"}','active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-02T09:00:00Z',NULL);
CREATE TABLE findings (
  id       TEXT NOT NULL,
  kind     TEXT NOT NULL DEFAULT '',
  severity TEXT NOT NULL DEFAULT 'warn',
  rule     TEXT NOT NULL DEFAULT '',
  project  TEXT NOT NULL DEFAULT '',
  "rows"   TEXT NOT NULL DEFAULT '[]',
  message  TEXT NOT NULL DEFAULT '',
  expected TEXT NOT NULL DEFAULT '',
  actual   TEXT NOT NULL DEFAULT ''
);
CREATE TABLE journal (
  seq    INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  actor  TEXT NOT NULL,
  verb   TEXT NOT NULL,
  ref    TEXT NOT NULL,
  before TEXT,
  after  TEXT,
  hash   TEXT NOT NULL,
  why    TEXT       -- since version 2
);
INSERT INTO journal VALUES(1,'2026-11-22T09:24:41.300036Z','kim','import','project:p05',NULL,'{"kind":"project","id":"p05","name":"Interferometer","aliases":["P05"]}','c710ce00dbfda2de84ea898e17c477218a46804875efd13f6043fc82089ed805',NULL);
INSERT INTO journal VALUES(2,'2026-11-22T09:24:41.300036Z','kim','import','project_state:color-1',NULL,'{"kind":"project_state","id":"color-1","project":"p05","category":"fact","key":"color","value":"red","status":"active","created_at":"2026-03-01T09:00:00Z"}','ed45b0a9243e5804fbc16681f79c55b97d20afd99561b7d20bad9e8f1d0ad036',NULL);
INSERT INTO journal VALUES(3,'2026-11-22T09:24:41.300036Z','kim','import','project_state:color-2',NULL,'{"kind":"project_state","id":"color-2","project":"p05","category":"fact","key":"color","value":"blue","status":"active","created_at":"2026-03-01T09:00:00Z"}','a69fe3970f2919270846c6fb729870f514d9a4e8ade4d3fe9002e749ad49a64d',NULL);
INSERT INTO journal VALUES(4,'2026-11-22T09:24:41.300036Z','kim','import','memory:color-3',NULL,'{"kind":"memory","id":"color-3","memory_type":"knowledge","content":"Color is green","project":"p05","status":"active","created_at":"2026-03-03T09:00:00Z"}','2dbc8640082e04feea2872286b7d8e897568c4f64725ac8a9178904de095f610',NULL);
INSERT INTO journal VALUES(5,'2026-11-22T09:24:41.300036Z','kim','import','project_state:support-1',NULL,'{"kind":"project_state","id":"support-1","project":"p05","category":"fact","key":"lateral_support_material","value":"GF-PTFE","status":"active","source":"design review 3","created_at":"2026-03-01T09:00:00Z"}','5b89eaa9ce0590f7199936c6a7f59142f404f0f0fa898034695209231aee6e3b',NULL);
INSERT INTO journal VALUES(6,'2026-11-22T09:24:41.300036Z','kim','import','entity:support-2',NULL,'{"kind":"entity","id":"support-2","entity_type":"Decision","name":"lateral support material","project":"p05","properties":{"decision_target":"lateral support","decision_field":"material","value":"PEEK"},"status":"active","created_at":"2026-03-02T09:00:00Z"}','b8c03b18909fb27902dacc93a50c3278755b82a80908c5dd70869c56366bbefb',NULL);
INSERT INTO journal VALUES(7,'2026-11-22T09:24:41.300036Z','kim','import','project_state:spindle-1',NULL,'{"kind":"project_state","id":"spindle-1","project":"p05","category":"fact","key":"spindle_speed","value":"50 rpm","status":"active","created_at":"2026-03-01T09:00:00Z"}','fd4ab97b1942b43f41c1e6269ce98f3931d2060c41eb4e259d6fbf69acd93a6f',NULL);
INSERT INTO journal VALUES(8,'2026-11-22T09:24:41.300036Z','kim','import','entity:spindle-2',NULL,'{"kind":"entity","id":"spindle-2","entity_type":"Decision","name":"spindle speed","project":"p05","properties":{"decision_target":"spindle","decision_field":"speed","value":"60 rpm"},"status":"active","created_at":"2026-03-02T09:00:00Z"}','464f5e8078204802ac0b21ced4c109caec6dfbbb14b8ae01dce4d4741fa1a848',NULL);
INSERT INTO journal VALUES(9,'2026-11-22T09:24:41.300036Z','kim','import','project_state:mount-1',NULL,'{"kind":"project_state","id":"mount-1","project":"p05","category":"fact","key":"mount","value":"three feet","status":"active","created_at":"2026-03-01T09:00:00Z"}','d7c6b5a11ead9158a4433b73a4a8d1e84420a0001e33251cdd9322ba2b00a4a0',NULL);
INSERT INTO journal VALUES(10,'2026-11-22T09:24:41.300036Z','kim','import','project_state:mount-2',NULL,'{"kind":"project_state","id":"mount-2","project":"p05","category":"fact","key":"mount","value":"four feet","status":"active","created_at":"2026-03-01T09:00:00Z"}','abf40e0390267c06da443e694f8acd0083490ea8c811f00a6bf723e2e0571bb7',NULL);
INSERT INTO journal VALUES(11,'2026-11-22T09:24:41.300036Z','kim','import','project_state:vendor-1',NULL,'{"kind":"project_state","id":"vendor-1","project":"p05","category":"fact","key":"vendor","value":"Acme","status":"active","created_at":"2026-03-01T09:00:00Z"}','f4497d42fbf17cc562c2dc4ad2cb0b8f499c2ff8b4694935f0354068df24bb5f',NULL);
INSERT INTO journal VALUES(12,'2026-11-22T09:24:41.300036Z','kim','import','project_state:vendor-2',NULL,'{"kind":"project_state","id":"vendor-2","project":"p05","category":"fact","key":"vendor","value":"Apex","status":"active","created_at":"2026-03-01T09:00:00Z"}','59275419973a7eb425046144c41d8f1b41c60a841bd2199e7653641329e21b97',NULL);
INSERT INTO journal VALUES(13,'2026-11-22T09:24:41.300036Z','kim','import','project_state:camera-1',NULL,'{"kind":"project_state","id":"camera-1","project":"p05","category":"fact","key":"camera","value":"CCD","status":"active","created_at":"2026-03-01T09:00:00Z"}','272ea6b85690fb64bfabc55912feda8b1ac19146047eba7256d452d0afe4f70c',NULL);
INSERT INTO journal VALUES(14,'2026-11-22T09:24:41.300036Z','kim','import','project_state:camera-2',NULL,'{"kind":"project_state","id":"camera-2","project":"p05","category":"fact","key":"camera","value":"CMOS","status":"active","created_at":"2026-03-01T09:00:00Z"}','c614a6c98bfdab9bca0c3ddf584507c98a1eb6b842f4fe64ada69732d22ccb03',NULL);
INSERT INTO journal VALUES(15,'2026-11-22T09:24:41.300036Z','kim','import','project_state:owner-1',NULL,'{"kind":"project_state","id":"owner-1","project":"p05","category":"fact","key":"owner","value":"Ann","status":"active","valid_from":"2020-01-01T00:00:00Z","valid_until":"2021-01-01T00:00:00Z","created_at":"2020-01-02T09:00:00Z"}','da6ad7666f6689b11445d220ebb54558863940b334b0bfa7b439275bb8286874',NULL);
INSERT INTO journal VALUES(16,'2026-11-22T09:24:41.300036Z','kim','import','project_state:owner-2',NULL,'{"kind":"project_state","id":"owner-2","project":"p05","category":"fact","key":"owner","value":"Bob","status":"active","valid_from":"2020-01-01T00:00:00Z","valid_until":"2021-01-01T00:00:00Z","created_at":"2020-01-03T09:00:00Z"}','3a9863bb965f61027c315a1c36dd5fc94595eb6edc5e5f99195d22143e29011e',NULL);
INSERT INTO journal VALUES(17,'2026-11-22T09:24:41.300036Z','kim','import','project_state:owner-3',NULL,'{"kind":"project_state","id":"owner-3","project":"p05","category":"fact","key":"owner","value":"Cid","status":"active","valid_from":"2026-01-01T00:00:00Z","created_at":"2026-03-01T09:00:00Z"}','728e030efbfb86410f378ba0edaa8ac6655329f32dfd79989974300eeeab439c',NULL);
INSERT INTO journal VALUES(18,'2026-11-22T09:24:41.300036Z','kim','import','project_state:owner-4',NULL,'{"kind":"project_state","id":"owner-4","project":"p05","category":"fact","key":"owner","value":"Dee","status":"active","valid_from":"2026-01-01T00:00:00Z","created_at":"2026-03-01T09:00:00Z"}','2327dcc2942b3ba4b2b48790be001bbe7631174aa2af51f05f632ba06681fb91',NULL);
INSERT INTO journal VALUES(19,'2026-11-22T09:24:41.300036Z','kim','import','project_state:guard-1',NULL,'{"kind":"project_state","id":"guard-1","project":"p05","category":"fact","key":"guard","value":"Ann","status":"active","valid_from":"2020-01-01T00:00:00Z","valid_until":"2021-01-01T00:00:00Z","created_at":"2020-01-02T09:00:00Z"}','66c7475eca91053b33d08ae31ad12e0923eb96f43e38fa5e0abe0ec37702e89b',NULL);
INSERT INTO journal VALUES(20,'2026-11-22T09:24:41.300036Z','kim','import','project_state:guard-2',NULL,'{"kind":"project_state","id":"guard-2","project":"p05","category":"fact","key":"guard","value":"Bob","status":"active","valid_from":"2020-01-01T00:00:00Z","valid_until":"2021-01-01T00:00:00Z","created_at":"2020-01-03T09:00:00Z"}','aff3445e5d994ea00834c3fb71bc6ab6cffb7745ef24e133edc291927b2b706f',NULL);
INSERT INTO journal VALUES(21,'2026-11-22T09:24:41.300036Z','kim','import','project_state:guard-3',NULL,'{"kind":"project_state","id":"guard-3","project":"p05","category":"fact","key":"guard","value":"Cid","status":"active","valid_from":"2026-01-01T00:00:00Z","created_at":"2026-03-01T09:00:00Z"}','e52b532476db941576665f4839876ffe0610df670d815496025327b2f79ee078',NULL);
INSERT INTO journal VALUES(22,'2026-11-22T09:24:41.300036Z','kim','import','project_state:guard-4',NULL,'{"kind":"project_state","id":"guard-4","project":"p05","category":"fact","key":"guard","value":"Dee","status":"active","valid_from":"2026-01-01T00:00:00Z","created_at":"2026-03-01T09:00:00Z"}','2195f979b1612ddf2dd431b3db7f4a40527f1c9a59376204c333be8dcae1f05f',NULL);
INSERT INTO journal VALUES(23,'2026-11-22T09:24:41.300036Z','kim','import','project_state:pitch-1',NULL,'{"kind":"project_state","id":"pitch-1","project":"p05","category":"fact","key":"pitch","value":"1 mm","status":"active","created_at":"2026-03-01T09:00:00Z"}','2fdb2ac969473d129b765ad790a99150cb273bfbc63488b60bcad54ebcd581a4',NULL);
INSERT INTO journal VALUES(24,'2026-11-22T09:24:41.300036Z','kim','import','project_state:pitch-2',NULL,'{"kind":"project_state","id":"pitch-2","project":"p05","category":"fact","key":"pitch","value":"2 mm","status":"active","created_at":"2026-03-01T09:00:00Z"}','1ffa305973aa90ca5736d0fd956b8e39b07c73d759f0387b66e31fb2cc500e83',NULL);
INSERT INTO journal VALUES(25,'2026-11-22T09:24:41.300036Z','kim','import','project_state:glue-1',NULL,'{"kind":"project_state","id":"glue-1","project":"p05","category":"fact","key":"glue","value":"epoxy","status":"active","created_at":"2026-03-01T09:00:00Z"}','3293146b01341a23d8c3320e2b7e4e6ffa047cc483939e15714d63cf4014dee9',NULL);
INSERT INTO journal VALUES(26,'2026-11-22T09:24:41.300036Z','kim','import','project_state:glue-2',NULL,'{"kind":"project_state","id":"glue-2","project":"p05","category":"fact","key":"glue","value":"silicone","status":"active","created_at":"2026-03-01T09:00:00Z"}','b9797442b7981e625d066f2353940f6eff8cdc6ed5b21f2e0e0a6d0ef9c739b0',NULL);
INSERT INTO journal VALUES(27,'2026-11-22T09:24:41.300036Z','kim','import','memory:flow-1',NULL,'{"kind":"memory","id":"flow-1","memory_type":"preference","content":"prefers rebase workflow","project":"p05","status":"active","created_at":"2026-03-03T09:00:00Z"}','0170d91bcda1309c874992b39cc041a1d1fae58c50f1edded99a29ab1836e71b',NULL);
INSERT INTO journal VALUES(28,'2026-11-22T09:24:41.300036Z','kim','import','memory:flow-2',NULL,'{"kind":"memory","id":"flow-2","memory_type":"preference","content":"prefers merge-commit workflow","project":"p05","status":"active","created_at":"2026-03-03T09:00:00Z"}','048f419b11e735a61539ba0b7a14010851d3761397df8dd45ddcb2297d147b86',NULL);
INSERT INTO journal VALUES(29,'2026-11-22T09:24:41.300036Z','kim','import','project_state:outer-1',NULL,'{"kind":"project_state","id":"outer-1","project":"p05","category":"fact","key":"Größe (außen)","value":"Ø 30 mm","status":"active","created_at":"2026-03-01T09:00:00Z"}','010ad0bc26040bc1c19cd5bf2381c2030f7ab70eb6612a8e9545d19cdbf4e981',NULL);
INSERT INTO journal VALUES(30,'2026-11-22T09:24:41.300036Z','kim','import','project_state:outer-2',NULL,'{"kind":"project_state","id":"outer-2","project":"p05","category":"fact","key":"größe außen","value":"Ø 31 mm","status":"active","created_at":"2026-03-01T09:00:00Z"}','cc3973db1127ed9df726bb6fd59d111398b614056f36188700ec0216fa12ac4b',NULL);
INSERT INTO journal VALUES(31,'2026-11-22T09:24:41.300036Z','kim','import','project_state:outer-3',NULL,'{"kind":"project_state","id":"outer-3","project":"p05","category":"fact","key":"Straße","value":"lang","status":"active","created_at":"2026-03-01T09:00:00Z"}','a5e2233eeab68a901d7e7e1fddf452c43cb2dd98088009bcd6f57a860b1cf3df',NULL);
INSERT INTO journal VALUES(32,'2026-11-22T09:24:41.300036Z','kim','import','project_state:outer-4',NULL,'{"kind":"project_state","id":"outer-4","project":"p05","category":"fact","key":"STRASSE","value":"kurz","status":"active","created_at":"2026-03-01T09:00:00Z"}','0d65de79d17e3e1d349e938123d41fa3ba7ba3bd26cf98a411988483ae4036ff',NULL);
INSERT INTO journal VALUES(33,'2026-11-22T09:24:41.300036Z','kim','import','project_state:legs-1',NULL,'{"kind":"project_state","id":"legs-1","project":"p05","category":"plan","key":"frame_legs","value":"3","status":"active","created_at":"2026-03-01T09:00:00Z"}','3224af2fb025b5e35cb17eb465945e022b64be297e0ea2a042ee8d3451f07a24',NULL);
INSERT INTO journal VALUES(34,'2026-11-22T09:24:41.300036Z','kim','import','project_state:legs-2',NULL,'{"kind":"project_state","id":"legs-2","project":"p05","category":"fact","key":"frame_legs","value":"4","status":"active","created_at":"2026-03-01T09:00:00Z"}','1cc7e715f09a531455a875b64a117d15c68ed744c15c1e81ed380e438c13d813',NULL);
INSERT INTO journal VALUES(35,'2026-11-22T09:24:41.300036Z','kim','import','entity:legs-3',NULL,'{"kind":"entity","id":"legs-3","entity_type":"Decision","name":"frame legs","project":"p05","properties":{"decision_target":"frame","decision_field":"legs","value":"5"},"status":"active","created_at":"2026-03-02T09:00:00Z"}','20730da345220448d7f057d6a5bb3769f7728b2b021cf67ac877345779836c5b',NULL);
INSERT INTO journal VALUES(36,'2026-11-22T09:24:41.344292Z','kim','open','conflict:cf846515859e2',NULL,'{"kind":"conflict","id":"cf846515859e2","status":"open","slot_kind":"state_slot","slot_key":["p05","camera"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"camera-1","field":"value","value":"CCD","normal":"text:ccd","flagged":false},{"member_kind":"project_state","member_id":"camera-2","field":"value","value":"CMOS","normal":"text:cmos","flagged":false}]}','845565241ece0323ff9572a0b3ead10884f87f28a1feba128c4d378883bcea6b',NULL);
INSERT INTO journal VALUES(37,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c8e9d8be084f6',NULL,'{"kind":"conflict","id":"c8e9d8be084f6","status":"open","slot_kind":"cross_layer","slot_key":["p05","color"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"color-1","field":"value","value":"red","normal":"text:red","flagged":false},{"member_kind":"project_state","member_id":"color-2","field":"value","value":"blue","normal":"text:blue","flagged":false},{"member_kind":"memory","member_id":"color-3","field":"content","value":"green","normal":"text:green","flagged":true,"conflicts_with":"project_state:color-1"}]}','0188305ada4ea9b60edf709e70b10bb985ca33eb9f43e0866c38af92cfc87618',NULL);
INSERT INTO journal VALUES(38,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c82606810fe8b',NULL,'{"kind":"conflict","id":"c82606810fe8b","status":"open","slot_kind":"cross_layer","slot_key":["p05","frame_legs"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"legs-1","field":"value","value":"3","normal":"number:3","flagged":false},{"member_kind":"project_state","member_id":"legs-2","field":"value","value":"4","normal":"number:4","flagged":false},{"member_kind":"entity","member_id":"legs-3","field":"value","value":"5","normal":"number:5","flagged":true,"conflicts_with":"project_state:legs-1"}]}','191b40ecf772aa8b30edfaa3341ca463bbcc7df360741c6ef3f3429b4c6c0cfb',NULL);
INSERT INTO journal VALUES(39,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c8988451f7e19',NULL,'{"kind":"conflict","id":"c8988451f7e19","status":"open","slot_kind":"state_slot","slot_key":["p05","glue"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"glue-1","field":"value","value":"epoxy","normal":"text:epoxy","flagged":false},{"member_kind":"project_state","member_id":"glue-2","field":"value","value":"silicone","normal":"text:silicone","flagged":false}]}','49972636b1d76751ff8ec30fb1d6c5240584a95befa72c97ba8a7a9be5c5c48d',NULL);
INSERT INTO journal VALUES(40,'2026-11-22T09:24:41.344292Z','kim','open','conflict:cece92ff12431',NULL,'{"kind":"conflict","id":"cece92ff12431","status":"open","slot_kind":"state_slot","slot_key":["p05","grösse_aussen"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"outer-1","field":"value","value":"Ø 30 mm","normal":"text:ø 30 mm","flagged":false},{"member_kind":"project_state","member_id":"outer-2","field":"value","value":"Ø 31 mm","normal":"text:ø 31 mm","flagged":false}]}','6c0985ad591d42331a15f08a66d7bbb32ba43304ba66ffd01e211fa5efe96ec2',NULL);
INSERT INTO journal VALUES(41,'2026-11-22T09:24:41.344292Z','kim','open','conflict:cb0956e5ed6ad',NULL,'{"kind":"conflict","id":"cb0956e5ed6ad","status":"open","slot_kind":"state_slot","slot_key":["p05","guard"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"guard-1","field":"value","value":"Ann","normal":"text:ann","flagged":false},{"member_kind":"project_state","member_id":"guard-2","field":"value","value":"Bob","normal":"text:bob","flagged":false},{"member_kind":"project_state","member_id":"guard-3","field":"value","value":"Cid","normal":"text:cid","flagged":false},{"member_kind":"project_state","member_id":"guard-4","field":"value","value":"Dee","normal":"text:dee","flagged":false}]}','df81a35486f515108685c91d7e26cc5c59ec0b780437786cbdbed43aa899aa17',NULL);
INSERT INTO journal VALUES(42,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c0f2f26836068',NULL,'{"kind":"conflict","id":"c0f2f26836068","status":"open","slot_kind":"cross_layer","slot_key":["p05","lateral_support_material"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"support-1","field":"value","value":"GF-PTFE","normal":"text:gf-ptfe","flagged":false},{"member_kind":"entity","member_id":"support-2","field":"value","value":"PEEK","normal":"text:peek","flagged":true,"conflicts_with":"project_state:support-1"}]}','c9f9d78b8c26218b09c49849c21b06a1b2cc3649f10258bc00537c8b6d25f6de',NULL);
INSERT INTO journal VALUES(43,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c15fb1dfffbe0',NULL,'{"kind":"conflict","id":"c15fb1dfffbe0","status":"open","slot_kind":"state_slot","slot_key":["p05","mount"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"mount-1","field":"value","value":"three feet","normal":"text:three feet","flagged":false},{"member_kind":"project_state","member_id":"mount-2","field":"value","value":"four feet","normal":"text:four feet","flagged":false}]}','f2939c44f6e82c9517043938561d2ed8e7ef078f1a9cd1849ab551e9717286be',NULL);
INSERT INTO journal VALUES(44,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c18b9bd975f4e',NULL,'{"kind":"conflict","id":"c18b9bd975f4e","status":"open","slot_kind":"state_slot","slot_key":["p05","owner"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"owner-1","field":"value","value":"Ann","normal":"text:ann","flagged":false},{"member_kind":"project_state","member_id":"owner-2","field":"value","value":"Bob","normal":"text:bob","flagged":false},{"member_kind":"project_state","member_id":"owner-3","field":"value","value":"Cid","normal":"text:cid","flagged":false},{"member_kind":"project_state","member_id":"owner-4","field":"value","value":"Dee","normal":"text:dee","flagged":false}]}','8477119cfd7d3c84a78b7cb1f2511e89de57b1a56075c14da28d1ee9dfe13f5c',NULL);
INSERT INTO journal VALUES(45,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c28cb522fd2ed',NULL,'{"kind":"conflict","id":"c28cb522fd2ed","status":"open","slot_kind":"state_slot","slot_key":["p05","pitch"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"pitch-1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false}]}','afc2d473f233cb42ab24919aade216b1dc554f16b9e82587f7b6aef8253f9a99',NULL);
INSERT INTO journal VALUES(46,'2026-11-22T09:24:41.344292Z','kim','open','conflict:cccbb65a01794',NULL,'{"kind":"conflict","id":"cccbb65a01794","status":"open","slot_kind":"memory_slot","slot_key":["p05","preference","workflow"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"memory","member_id":"flow-1","field":"content","value":"rebase","normal":"text:rebas","flagged":false},{"member_kind":"memory","member_id":"flow-2","field":"content","value":"merge-commit","normal":"text:merge-commit","flagged":false}]}','3152dc6b9db8a07bf6c066140a6bca6e1d45257407a4c744cbdb7fd0d59b6ea7',NULL);
INSERT INTO journal VALUES(47,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c6f401ba176f9',NULL,'{"kind":"conflict","id":"c6f401ba176f9","status":"open","slot_kind":"cross_layer","slot_key":["p05","spindle_speed"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"spindle-1","field":"value","value":"50 rpm","normal":"quantity:50 rpm","flagged":false},{"member_kind":"entity","member_id":"spindle-2","field":"value","value":"60 rpm","normal":"quantity:60 rpm","flagged":true,"conflicts_with":"project_state:spindle-1"}]}','4379393ecd27c7b7ee9763379bb824ecdb8ce568b364128cc8fc4d3ec49e2924',NULL);
INSERT INTO journal VALUES(48,'2026-11-22T09:24:41.344292Z','kim','open','conflict:c10914432b169',NULL,'{"kind":"conflict","id":"c10914432b169","status":"open","slot_kind":"state_slot","slot_key":["p05","strasse"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"outer-3","field":"value","value":"lang","normal":"text:lang","flagged":false},{"member_kind":"project_state","member_id":"outer-4","field":"value","value":"kurz","normal":"text:kurz","flagged":false}]}','5fb4e457f4316d8a14db95fd592bb4555224a9a1af0b0c1b102b21551473f465',NULL);
INSERT INTO journal VALUES(49,'2026-11-22T09:24:41.344292Z','kim','open','conflict:cd41858139fd8',NULL,'{"kind":"conflict","id":"cd41858139fd8","status":"open","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','7030747be6b6bc0418c0e8893a8f5c2d806e82381cfddfdcc6c02ed31f69d7c7',NULL);
INSERT INTO journal VALUES(50,'2026-11-22T09:24:41Z','kim','dismiss','conflict:c0f2f26836068','{"kind":"conflict","id":"c0f2f26836068","status":"open","slot_kind":"cross_layer","slot_key":["p05","lateral_support_material"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"support-1","field":"value","value":"GF-PTFE","normal":"text:gf-ptfe","flagged":false},{"member_kind":"entity","member_id":"support-2","field":"value","value":"PEEK","normal":"text:peek","flagged":true,"conflicts_with":"project_state:support-1"}]}','{"kind":"conflict","id":"c0f2f26836068","status":"dismissed","slot_kind":"cross_layer","slot_key":["p05","lateral_support_material"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:41Z","resolution":"not a contradiction: two different things","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"support-1","field":"value","value":"GF-PTFE","normal":"text:gf-ptfe","flagged":false},{"member_kind":"entity","member_id":"support-2","field":"value","value":"PEEK","normal":"text:peek","flagged":true,"conflicts_with":"project_state:support-1"}]}','0a571433cd80a8d317fd5f7a6f56464938653125cc56eee8eb4dec993002d482','not a contradiction: two different things');
INSERT INTO journal VALUES(51,'2026-11-22T09:24:41Z','kim','resolve','conflict:c6f401ba176f9','{"kind":"conflict","id":"c6f401ba176f9","status":"open","slot_kind":"cross_layer","slot_key":["p05","spindle_speed"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"spindle-1","field":"value","value":"50 rpm","normal":"quantity:50 rpm","flagged":false},{"member_kind":"entity","member_id":"spindle-2","field":"value","value":"60 rpm","normal":"quantity:60 rpm","flagged":true,"conflicts_with":"project_state:spindle-1"}]}','{"kind":"conflict","id":"c6f401ba176f9","status":"resolved","slot_kind":"cross_layer","slot_key":["p05","spindle_speed"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:41Z","resolution":"process card 3","action":"supersede_others","winner":"project_state:spindle-1","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"spindle-1","field":"value","value":"50 rpm","normal":"quantity:50 rpm","flagged":false},{"member_kind":"entity","member_id":"spindle-2","field":"value","value":"60 rpm","normal":"quantity:60 rpm","flagged":true,"conflicts_with":"project_state:spindle-1"}]}','07efae54ddc6636428d9ef9055647dd59ce6df7ee6d7df86a5a3ad1ecaa31f7d','process card 3');
INSERT INTO journal VALUES(52,'2026-11-22T09:24:41Z','kim','supersede','entity:spindle-2','{"kind":"entity","id":"spindle-2","entity_type":"Decision","name":"spindle speed","project":"p05","properties":{"decision_target":"spindle","decision_field":"speed","value":"60 rpm"},"status":"active","created_at":"2026-03-02T09:00:00Z"}','{"kind":"entity","id":"spindle-2","entity_type":"Decision","name":"spindle speed","project":"p05","properties":{"decision_target":"spindle","decision_field":"speed","value":"60 rpm"},"status":"superseded","superseded_by":"project_state:spindle-1","superseded_at":"2026-11-22T09:24:41Z","created_at":"2026-03-02T09:00:00Z"}','3dd17f9dc3613b0e729b224fab1b6f457588660bbe9facb604c6e87f27b31610','conflict c6f401ba176f9: process card 3');
INSERT INTO journal VALUES(53,'2026-11-22T09:24:41Z','kim','resolve','conflict:c15fb1dfffbe0','{"kind":"conflict","id":"c15fb1dfffbe0","status":"open","slot_kind":"state_slot","slot_key":["p05","mount"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"mount-1","field":"value","value":"three feet","normal":"text:three feet","flagged":false},{"member_kind":"project_state","member_id":"mount-2","field":"value","value":"four feet","normal":"text:four feet","flagged":false}]}','{"kind":"conflict","id":"c15fb1dfffbe0","status":"resolved","slot_kind":"state_slot","slot_key":["p05","mount"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:41Z","resolution":"both hold, for now","action":"no_action","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"mount-1","field":"value","value":"three feet","normal":"text:three feet","flagged":false},{"member_kind":"project_state","member_id":"mount-2","field":"value","value":"four feet","normal":"text:four feet","flagged":false}]}','e0354268156533faf102a6cf48c4d9bb762bb2769a7bd526b70ce9074807f773','both hold, for now');
INSERT INTO journal VALUES(54,'2026-11-22T09:24:41Z','kim','dismiss','conflict:cd41858139fd8','{"kind":"conflict","id":"cd41858139fd8","status":"open","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','{"kind":"conflict","id":"cd41858139fd8","status":"dismissed","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:41Z","resolution":"not a contradiction: two different things","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','0463c5674027d00f94d2bd12a150492108d720ece55dc21c7958bb2ddb211b14','not a contradiction: two different things');
INSERT INTO journal VALUES(55,'2026-11-22T09:24:41Z','kim','reopen','conflict:cd41858139fd8','{"kind":"conflict","id":"cd41858139fd8","status":"dismissed","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:41Z","resolution":"not a contradiction: two different things","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','{"kind":"conflict","id":"cd41858139fd8","status":"open","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','37f2e5c4bd5e858fdae55c7581ecfff13db00215fdef73f7d7711bed2452c2ab','it is one after all');
INSERT INTO journal VALUES(56,'2026-11-22T09:24:41Z','kim','resolve','conflict:cf846515859e2','{"kind":"conflict","id":"cf846515859e2","status":"open","slot_kind":"state_slot","slot_key":["p05","camera"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"camera-1","field":"value","value":"CCD","normal":"text:ccd","flagged":false},{"member_kind":"project_state","member_id":"camera-2","field":"value","value":"CMOS","normal":"text:cmos","flagged":false}]}','{"kind":"conflict","id":"cf846515859e2","status":"resolved","slot_kind":"state_slot","slot_key":["p05","camera"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:41Z","resolution":"tested","action":"supersede_others","winner":"project_state:camera-1","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"camera-1","field":"value","value":"CCD","normal":"text:ccd","flagged":false},{"member_kind":"project_state","member_id":"camera-2","field":"value","value":"CMOS","normal":"text:cmos","flagged":false}]}','7a40b3ceaa416df075a42f7cbccf1737662e529d586e8f6c3834537db77d2710','tested');
INSERT INTO journal VALUES(57,'2026-11-22T09:24:41Z','kim','supersede','project_state:camera-2','{"kind":"project_state","id":"camera-2","project":"p05","category":"fact","key":"camera","value":"CMOS","status":"active","created_at":"2026-03-01T09:00:00Z"}','{"kind":"project_state","id":"camera-2","project":"p05","category":"fact","key":"camera","value":"CMOS","status":"superseded","superseded_by":"camera-1","superseded_at":"2026-11-22T09:24:41Z","created_at":"2026-03-01T09:00:00Z"}','cc936bb7b7eedb435dcb5236180fd6da911bc2ffe9c47354d1888a6f8871adf2','conflict cf846515859e2: tested');
INSERT INTO journal VALUES(58,'2026-11-22T09:24:41Z','kim','restore','project_state:camera-2','{"kind":"project_state","id":"camera-2","project":"p05","category":"fact","key":"camera","value":"CMOS","status":"superseded","superseded_by":"camera-1","superseded_at":"2026-11-22T09:24:41Z","created_at":"2026-03-01T09:00:00Z"}','{"kind":"project_state","id":"camera-2","project":"p05","category":"fact","key":"camera","value":"CMOS","status":"active","created_at":"2026-03-01T09:00:00Z"}','b5dd1f0c80397b684f8093ae386195eba1072f3672b09b8c732d6a9de0801cf0','both are mounted');
INSERT INTO journal VALUES(59,'2026-11-22T09:24:41Z','kim','open','conflict:ccf0c582380a3',NULL,'{"kind":"conflict","id":"ccf0c582380a3","status":"open","slot_kind":"state_slot","slot_key":["p05","camera"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41Z","resolution":"","members":[{"member_kind":"project_state","member_id":"camera-1","field":"value","value":"CCD","normal":"text:ccd","flagged":false},{"member_kind":"project_state","member_id":"camera-2","field":"value","value":"CMOS","normal":"text:cmos","flagged":false}]}','1ed0116a5ee42558c9cf1008e306e88d085cd2f83d4365e92b2694a519cc7c04',NULL);
INSERT INTO journal VALUES(60,'2026-11-22T09:24:42Z','kim','dismiss','conflict:cb0956e5ed6ad','{"kind":"conflict","id":"cb0956e5ed6ad","status":"open","slot_kind":"state_slot","slot_key":["p05","guard"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"guard-1","field":"value","value":"Ann","normal":"text:ann","flagged":false},{"member_kind":"project_state","member_id":"guard-2","field":"value","value":"Bob","normal":"text:bob","flagged":false},{"member_kind":"project_state","member_id":"guard-3","field":"value","value":"Cid","normal":"text:cid","flagged":false},{"member_kind":"project_state","member_id":"guard-4","field":"value","value":"Dee","normal":"text:dee","flagged":false}]}','{"kind":"conflict","id":"cb0956e5ed6ad","status":"dismissed","slot_kind":"state_slot","slot_key":["p05","guard"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:42Z","resolution":"not a contradiction: two different things","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"guard-1","field":"value","value":"Ann","normal":"text:ann","flagged":false},{"member_kind":"project_state","member_id":"guard-2","field":"value","value":"Bob","normal":"text:bob","flagged":false},{"member_kind":"project_state","member_id":"guard-3","field":"value","value":"Cid","normal":"text:cid","flagged":false},{"member_kind":"project_state","member_id":"guard-4","field":"value","value":"Dee","normal":"text:dee","flagged":false}]}','4b82da9099e86f2d10bc95a78fa87b579cf426705d9e206a5a94e924b15f7713','not a contradiction: two different things');
INSERT INTO journal VALUES(61,'2026-11-22T09:24:42Z','kim','dismiss','conflict:c28cb522fd2ed','{"kind":"conflict","id":"c28cb522fd2ed","status":"open","slot_kind":"state_slot","slot_key":["p05","pitch"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"pitch-1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false}]}','{"kind":"conflict","id":"c28cb522fd2ed","status":"dismissed","slot_kind":"state_slot","slot_key":["p05","pitch"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:42Z","resolution":"not a contradiction: two different things","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"pitch-1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false}]}','e6b0d3944ea9f163ee73c6c68c3e8896773f438765761cfa592be23ee4a5f3f3','not a contradiction: two different things');
INSERT INTO journal VALUES(62,'2026-11-22T09:24:42.178773Z','kim','import','project_state:pitch-3',NULL,'{"kind":"project_state","id":"pitch-3","project":"p05","category":"fact","key":"pitch","value":"3 mm","status":"active","created_at":"2026-04-01T09:00:00Z"}','ddcd0062331acc90e54e87390a2975e9a6f014c9c6dee4225c965dc46fe83c8c',NULL);
INSERT INTO journal VALUES(63,'2026-11-22T09:24:42.223329Z','kim','open','conflict:c727cd0152e7e',NULL,'{"kind":"conflict","id":"c727cd0152e7e","status":"open","slot_kind":"state_slot","slot_key":["p05","pitch"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:42.223329Z","resolution":"","members":[{"member_kind":"project_state","member_id":"pitch-1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-3","field":"value","value":"3 mm","normal":"quantity:3 mm","flagged":false}]}','7a019ac5120804205cfab40328164aa465202f78e28eb1dfb4084de91d1cc855',NULL);
INSERT INTO journal VALUES(64,'2026-11-22T09:24:42.277537Z','kim','import','project_state:glue-2','{"kind":"project_state","id":"glue-2","project":"p05","category":"fact","key":"glue","value":"silicone","status":"active","created_at":"2026-03-01T09:00:00Z"}','{"kind":"project_state","id":"glue-2","project":"p05","category":"fact","key":"glue","value":"silicone","status":"invalid","created_at":"2026-03-01T09:00:00Z"}','4d75f48a4eb8be7aee936be948a6a62b946b901a56a5cc2816826e191420b566',NULL);
INSERT INTO journal VALUES(65,'2026-11-22T09:24:42Z','kim','dismiss','conflict:cccbb65a01794','{"kind":"conflict","id":"cccbb65a01794","status":"open","slot_kind":"memory_slot","slot_key":["p05","preference","workflow"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"memory","member_id":"flow-1","field":"content","value":"rebase","normal":"text:rebas","flagged":false},{"member_kind":"memory","member_id":"flow-2","field":"content","value":"merge-commit","normal":"text:merge-commit","flagged":false}]}','{"kind":"conflict","id":"cccbb65a01794","status":"dismissed","slot_kind":"memory_slot","slot_key":["p05","preference","workflow"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:42Z","resolution":"not a contradiction: two different things","resolved_by":"kim","members":[{"member_kind":"memory","member_id":"flow-1","field":"content","value":"rebase","normal":"text:rebas","flagged":false},{"member_kind":"memory","member_id":"flow-2","field":"content","value":"merge-commit","normal":"text:merge-commit","flagged":false}]}','ec6f14c6e2d6afb1a7f76c945f1294ab212b997f73e8d122fdcfa223babb3fcd','not a contradiction: two different things');
INSERT INTO journal VALUES(66,'2026-11-22T09:24:42Z','kim','dismiss','conflict:cece92ff12431','{"kind":"conflict","id":"cece92ff12431","status":"open","slot_kind":"state_slot","slot_key":["p05","grösse_aussen"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","members":[{"member_kind":"project_state","member_id":"outer-1","field":"value","value":"Ø 30 mm","normal":"text:ø 30 mm","flagged":false},{"member_kind":"project_state","member_id":"outer-2","field":"value","value":"Ø 31 mm","normal":"text:ø 31 mm","flagged":false}]}','{"kind":"conflict","id":"cece92ff12431","status":"dismissed","slot_kind":"state_slot","slot_key":["p05","grösse_aussen"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T09:24:42Z","resolution":"not a contradiction: two different things","resolved_by":"kim","members":[{"member_kind":"project_state","member_id":"outer-1","field":"value","value":"Ø 30 mm","normal":"text:ø 30 mm","flagged":false},{"member_kind":"project_state","member_id":"outer-2","field":"value","value":"Ø 31 mm","normal":"text:ø 31 mm","flagged":false}]}','102004c703632d6220119e45d836d954fb214ee938276b5b8aa2ff08fbd03229','not a contradiction: two different things');
INSERT INTO journal VALUES(67,'2026-11-22T12:35:01.542314Z','unknown','update','conflict:ccf0c582380a3','{"kind":"conflict","id":"ccf0c582380a3","status":"open","slot_kind":"state_slot","slot_key":["p05","camera"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41Z","resolution":"","anchor":"","members":[{"member_kind":"project_state","member_id":"camera-1","field":"value","value":"CCD","normal":"text:ccd","flagged":false},{"member_kind":"project_state","member_id":"camera-2","field":"value","value":"CMOS","normal":"text:cmos","flagged":false}]}','{"kind":"conflict","id":"ccf0c582380a3","status":"open","slot_kind":"state_slot","slot_key":["p05","camera"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41Z","resolution":"","anchor":"project_state:camera-1#value","members":[{"member_kind":"project_state","member_id":"camera-1","field":"value","value":"CCD","normal":"text:ccd","flagged":false},{"member_kind":"project_state","member_id":"camera-2","field":"value","value":"CMOS","normal":"text:cmos","flagged":false}]}','a2d66d81c1aa8f80b70c31ae8ba1ac6215294a2ccabfb0a708b3823e0e846d16',NULL);
INSERT INTO journal VALUES(68,'2026-11-22T12:35:01.542314Z','unknown','update','conflict:c8e9d8be084f6','{"kind":"conflict","id":"c8e9d8be084f6","status":"open","slot_kind":"cross_layer","slot_key":["p05","color"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"","members":[{"member_kind":"project_state","member_id":"color-1","field":"value","value":"red","normal":"text:red","flagged":false},{"member_kind":"project_state","member_id":"color-2","field":"value","value":"blue","normal":"text:blue","flagged":false},{"member_kind":"memory","member_id":"color-3","field":"content","value":"green","normal":"text:green","flagged":true,"conflicts_with":"project_state:color-1"}]}','{"kind":"conflict","id":"c8e9d8be084f6","status":"open","slot_kind":"cross_layer","slot_key":["p05","color"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"project_state:color-1#value","members":[{"member_kind":"project_state","member_id":"color-1","field":"value","value":"red","normal":"text:red","flagged":false},{"member_kind":"project_state","member_id":"color-2","field":"value","value":"blue","normal":"text:blue","flagged":false},{"member_kind":"memory","member_id":"color-3","field":"content","value":"green","normal":"text:green","flagged":true,"conflicts_with":"project_state:color-1"}]}','671f0b6d58779710dcdc45d8bce240efc30697a81a563889f9ae4cc391d92f2c',NULL);
INSERT INTO journal VALUES(69,'2026-11-22T12:35:01.542314Z','unknown','update','conflict:c82606810fe8b','{"kind":"conflict","id":"c82606810fe8b","status":"open","slot_kind":"cross_layer","slot_key":["p05","frame_legs"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"","members":[{"member_kind":"project_state","member_id":"legs-1","field":"value","value":"3","normal":"number:3","flagged":false},{"member_kind":"project_state","member_id":"legs-2","field":"value","value":"4","normal":"number:4","flagged":false},{"member_kind":"entity","member_id":"legs-3","field":"value","value":"5","normal":"number:5","flagged":true,"conflicts_with":"project_state:legs-1"}]}','{"kind":"conflict","id":"c82606810fe8b","status":"open","slot_kind":"cross_layer","slot_key":["p05","frame_legs"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"project_state:legs-1#value","members":[{"member_kind":"project_state","member_id":"legs-1","field":"value","value":"3","normal":"number:3","flagged":false},{"member_kind":"project_state","member_id":"legs-2","field":"value","value":"4","normal":"number:4","flagged":false},{"member_kind":"entity","member_id":"legs-3","field":"value","value":"5","normal":"number:5","flagged":true,"conflicts_with":"project_state:legs-1"}]}','046dbfe24df1c7e1aecd34830dcc09b3e887fbd52186994b3acca10b4780e97c',NULL);
INSERT INTO journal VALUES(70,'2026-11-22T12:35:01.542314Z','unknown','update','conflict:c18b9bd975f4e','{"kind":"conflict","id":"c18b9bd975f4e","status":"open","slot_kind":"state_slot","slot_key":["p05","owner"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"","members":[{"member_kind":"project_state","member_id":"owner-1","field":"value","value":"Ann","normal":"text:ann","flagged":false},{"member_kind":"project_state","member_id":"owner-2","field":"value","value":"Bob","normal":"text:bob","flagged":false},{"member_kind":"project_state","member_id":"owner-3","field":"value","value":"Cid","normal":"text:cid","flagged":false},{"member_kind":"project_state","member_id":"owner-4","field":"value","value":"Dee","normal":"text:dee","flagged":false}]}','{"kind":"conflict","id":"c18b9bd975f4e","status":"open","slot_kind":"state_slot","slot_key":["p05","owner"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"project_state:owner-1#value","window_from":"2020-01-01T00:00:00Z","window_until":"2021-01-01T00:00:00Z","members":[{"member_kind":"project_state","member_id":"owner-1","field":"value","value":"Ann","normal":"text:ann","flagged":false},{"member_kind":"project_state","member_id":"owner-2","field":"value","value":"Bob","normal":"text:bob","flagged":false},{"member_kind":"project_state","member_id":"owner-3","field":"value","value":"Cid","normal":"text:cid","flagged":false},{"member_kind":"project_state","member_id":"owner-4","field":"value","value":"Dee","normal":"text:dee","flagged":false}]}','ab31466b80d17d3b876f47af21658661fa0bb47e96677699bbfb5d51b5bdf3de',NULL);
INSERT INTO journal VALUES(71,'2026-11-22T12:35:01.542314Z','unknown','open','conflict:ca0739539a71c',NULL,'{"kind":"conflict","id":"ca0739539a71c","status":"open","slot_kind":"state_slot","slot_key":["p05","owner"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T12:35:01.542314Z","resolution":"","anchor":"project_state:owner-3#value","window_from":"2026-01-01T00:00:00Z","members":[{"member_kind":"project_state","member_id":"owner-3","field":"value","value":"Cid","normal":"text:cid","flagged":false},{"member_kind":"project_state","member_id":"owner-4","field":"value","value":"Dee","normal":"text:dee","flagged":false}]}','ad12e5d98d39521cd93fca0da0e38002fd2a346c17d747401d80a02a4b9f16d9',NULL);
INSERT INTO journal VALUES(72,'2026-11-22T12:35:01.542314Z','unknown','update','conflict:c727cd0152e7e','{"kind":"conflict","id":"c727cd0152e7e","status":"open","slot_kind":"state_slot","slot_key":["p05","pitch"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:42.223329Z","resolution":"","anchor":"","members":[{"member_kind":"project_state","member_id":"pitch-1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-3","field":"value","value":"3 mm","normal":"quantity:3 mm","flagged":false}]}','{"kind":"conflict","id":"c727cd0152e7e","status":"open","slot_kind":"state_slot","slot_key":["p05","pitch"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:42.223329Z","resolution":"","anchor":"project_state:pitch-1#value","members":[{"member_kind":"project_state","member_id":"pitch-1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false},{"member_kind":"project_state","member_id":"pitch-3","field":"value","value":"3 mm","normal":"quantity:3 mm","flagged":false}]}','caecf27b753b4f0ae54a7f80317c15f1029ad480397f2497317b1d4ba5b620f6',NULL);
INSERT INTO journal VALUES(73,'2026-11-22T12:35:01.542314Z','unknown','update','conflict:c10914432b169','{"kind":"conflict","id":"c10914432b169","status":"open","slot_kind":"state_slot","slot_key":["p05","strasse"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"","members":[{"member_kind":"project_state","member_id":"outer-3","field":"value","value":"lang","normal":"text:lang","flagged":false},{"member_kind":"project_state","member_id":"outer-4","field":"value","value":"kurz","normal":"text:kurz","flagged":false}]}','{"kind":"conflict","id":"c10914432b169","status":"open","slot_kind":"state_slot","slot_key":["p05","strasse"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"project_state:outer-3#value","members":[{"member_kind":"project_state","member_id":"outer-3","field":"value","value":"lang","normal":"text:lang","flagged":false},{"member_kind":"project_state","member_id":"outer-4","field":"value","value":"kurz","normal":"text:kurz","flagged":false}]}','33f4f2809a62ba3579b622af24b0aa4aa8db8c170020208b8876ca9bac659a71',NULL);
INSERT INTO journal VALUES(74,'2026-11-22T12:35:01.542314Z','unknown','update','conflict:cd41858139fd8','{"kind":"conflict","id":"cd41858139fd8","status":"open","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','{"kind":"conflict","id":"cd41858139fd8","status":"open","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"project_state:vendor-1#value","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','42719ed2db5c35449a580035379a72e964977fb19905d4b16e4364a9b7a180ef',NULL);
INSERT INTO journal VALUES(75,'2026-11-22T12:35:10.688079Z','unknown','import','project:q7',NULL,'{"kind":"project","id":"q7","name":"Seven","aliases":["seven"]}','1fe4eef7e7694219f86899d3c837f3c9cdea642bc83714287efacb3a1d272979',NULL);
INSERT INTO journal VALUES(76,'2026-11-22T12:35:10.688079Z','unknown','import','project_state:g1',NULL,'{"kind":"project_state","id":"g1","project":"seven","category":"fact","key":"gap","value":"1 mm","status":"active"}','fcdc5bd7be1f8a42d2e8c7e2162e8c2916f897819fc3c3fdc508088efce37629',NULL);
INSERT INTO journal VALUES(77,'2026-11-22T12:35:10.688079Z','unknown','import','project_state:g2',NULL,'{"kind":"project_state","id":"g2","project":"q7","category":"fact","key":"gap","value":"2 mm","status":"active"}','415668ef5b8bdcdd44c174c5cc4d692fa16c88809809d71736d9bba2bdddcef9',NULL);
INSERT INTO journal VALUES(78,'2026-11-22T12:35:10.688079Z','unknown','import','relation:r1',NULL,'{"kind":"relation","id":"r1","type":"PART_OF","project":"","from":"support-2","to":"legs-3","status":"active"}','48e7ca32bbb9516204f495c8d6eec0926f0a2271ffd85e11642198427c9174c8',NULL);
INSERT INTO journal VALUES(79,'2026-11-22T12:35:10.688079Z','unknown','import','link:project_state:g1 project_state:g2 related',NULL,'{"kind":"link","src":"project_state:g1","dst":"project_state:g2","rel":"related"}','df7b222c4b11ba1600070ca04d462bc838693d893e13958173565eb132fe8834',NULL);
INSERT INTO journal VALUES(80,'2026-11-22T12:35:10.701665Z','unknown','open','conflict:c3e8891d90363',NULL,'{"kind":"conflict","id":"c3e8891d90363","status":"open","slot_kind":"state_slot","slot_key":["q7","gap"],"project":"q7","rule":"slot/1","detected_at":"2026-11-22T12:35:10.701665Z","resolution":"","anchor":"project_state:g1#value","members":[{"member_kind":"project_state","member_id":"g1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"g2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false}]}','6dbbc5625044748db4ec2cdd262f9218142f82ad380219674c6abd046fd1bb8e',NULL);
INSERT INTO journal VALUES(81,'2026-11-22T12:35:51Z','unknown','resolve','conflict:c3e8891d90363','{"kind":"conflict","id":"c3e8891d90363","status":"open","slot_kind":"state_slot","slot_key":["q7","gap"],"project":"q7","rule":"slot/1","detected_at":"2026-11-22T12:35:10.701665Z","resolution":"","anchor":"project_state:g1#value","members":[{"member_kind":"project_state","member_id":"g1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"g2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false}]}','{"kind":"conflict","id":"c3e8891d90363","status":"resolved","slot_kind":"state_slot","slot_key":["q7","gap"],"project":"q7","rule":"slot/1","detected_at":"2026-11-22T12:35:10.701665Z","resolved_at":"2026-11-22T12:35:51Z","resolution":"measured","action":"supersede_opponents","winner":"project_state:g2","resolved_by":"unknown","anchor":"project_state:g1#value","members":[{"member_kind":"project_state","member_id":"g1","field":"value","value":"1 mm","normal":"quantity:1 mm","flagged":false},{"member_kind":"project_state","member_id":"g2","field":"value","value":"2 mm","normal":"quantity:2 mm","flagged":false}]}','7cb1114a6924ce8818e768c7757271009070bfa62237217e634b40fb3354291a','measured');
INSERT INTO journal VALUES(82,'2026-11-22T12:35:51Z','unknown','supersede','project_state:g1','{"kind":"project_state","id":"g1","project":"seven","category":"fact","key":"gap","value":"1 mm","status":"active"}','{"kind":"project_state","id":"g1","project":"seven","category":"fact","key":"gap","value":"1 mm","status":"superseded","superseded_by":"g2","superseded_at":"2026-11-22T12:35:51Z"}','7c321caff2739472d44baa42fe9a3b20c74d5dabb0b28f866bfc95b99d7f36b9','conflict c3e8891d90363: measured');
INSERT INTO journal VALUES(83,'2026-11-22T12:35:51Z','unknown','resolve','conflict:cd41858139fd8','{"kind":"conflict","id":"cd41858139fd8","status":"open","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolution":"","anchor":"project_state:vendor-1#value","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','{"kind":"conflict","id":"cd41858139fd8","status":"resolved","slot_kind":"state_slot","slot_key":["p05","vendor"],"project":"p05","rule":"slot/1","detected_at":"2026-11-22T09:24:41.344292Z","resolved_at":"2026-11-22T12:35:51Z","resolution":"two suppliers","action":"no_action","resolved_by":"unknown","anchor":"project_state:vendor-1#value","members":[{"member_kind":"project_state","member_id":"vendor-1","field":"value","value":"Acme","normal":"text:acme","flagged":false},{"member_kind":"project_state","member_id":"vendor-2","field":"value","value":"Apex","normal":"text:apex","flagged":false}]}','ef9326b9650807565ec3b16ae3147a24d58a27da9071ab8a8153bfe09e1c7f2a','two suppliers');
INSERT INTO journal VALUES(84,'2026-11-22T12:35:51Z','unknown','link','link:project_state:vendor-1 project_state:vendor-2 contradicts',NULL,'{"kind":"link","src":"project_state:vendor-1","dst":"project_state:vendor-2","rel":"contradicts"}','935660cdad82938acdd93776f2bbca5b2e2f5325680676ac6704273f0149579d','conflict cd41858139fd8: two suppliers');
CREATE TABLE links (
  src TEXT NOT NULL,
  dst TEXT NOT NULL,
  rel TEXT NOT NULL DEFAULT 'related',
  PRIMARY KEY (src, rel, dst),
  CHECK (typeof(src) = 'text' AND typeof(dst) = 'text' AND typeof(rel) = 'text' AND src <> '' AND dst <> '' AND rel <> '')
);
INSERT INTO links VALUES('project_state:g1','project_state:g2','related');
INSERT INTO links VALUES('project_state:vendor-1','project_state:vendor-2','contradicts');
CREATE TABLE memories (
  id               TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  memory_type      TEXT,
  content          TEXT,
  project          TEXT NOT NULL DEFAULT '',
  status           TEXT NOT NULL DEFAULT 'active',
  confidence       REAL,
  importance       REAL,
  polarity         INTEGER,
  scope            TEXT,
  agent            TEXT,
  slot_rule        TEXT,
  tags             TEXT,
  source_refs      TEXT,
  valid_from       TEXT,
  valid_until      TEXT,
  superseded_by    TEXT,
  superseded_at    TEXT,
  graduated_to     TEXT,
  created_at       TEXT,
  updated_at       TEXT,
  last_accessed_at TEXT
);
INSERT INTO memories VALUES('color-3','knowledge','Color is green','p05','active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-03T09:00:00Z',NULL,NULL);
INSERT INTO memories VALUES('flow-1','preference','prefers rebase workflow','p05','active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-03T09:00:00Z',NULL,NULL);
INSERT INTO memories VALUES('flow-2','preference','prefers merge-commit workflow','p05','active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-03T09:00:00Z',NULL,NULL);
CREATE TABLE project_aliases (
  alias   TEXT PRIMARY KEY NOT NULL CHECK (typeof(alias) = 'text' AND alias <> ''),
  project TEXT NOT NULL
);
INSERT INTO project_aliases VALUES('P05','p05');
INSERT INTO project_aliases VALUES('seven','q7');
CREATE TABLE project_state (
  id            TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  project       TEXT NOT NULL DEFAULT '',
  category      TEXT NOT NULL DEFAULT '',
  key           TEXT,
  value         TEXT,
  -- 'json': value is the text of a JSON number, boolean or array, spelled as it was written
  value_kind    TEXT NOT NULL DEFAULT 'text' CHECK (value_kind IN ('text', 'json')),
  status        TEXT NOT NULL DEFAULT 'active',
  source        TEXT,
  confidence    REAL,
  valid_from    TEXT,
  valid_until   TEXT,
  superseded_by TEXT,
  superseded_at TEXT,
  created_at    TEXT,
  updated_at    TEXT
);
INSERT INTO project_state VALUES('color-1','p05','fact','color','red','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('color-2','p05','fact','color','blue','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('support-1','p05','fact','lateral_support_material','GF-PTFE','text','active','design review 3',NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('spindle-1','p05','fact','spindle_speed','50 rpm','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('mount-1','p05','fact','mount','three feet','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('mount-2','p05','fact','mount','four feet','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('vendor-1','p05','fact','vendor','Acme','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('vendor-2','p05','fact','vendor','Apex','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('camera-1','p05','fact','camera','CCD','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('camera-2','p05','fact','camera','CMOS','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('owner-1','p05','fact','owner','Ann','text','active',NULL,NULL,'2020-01-01T00:00:00Z','2021-01-01T00:00:00Z',NULL,NULL,'2020-01-02T09:00:00Z',NULL);
INSERT INTO project_state VALUES('owner-2','p05','fact','owner','Bob','text','active',NULL,NULL,'2020-01-01T00:00:00Z','2021-01-01T00:00:00Z',NULL,NULL,'2020-01-03T09:00:00Z',NULL);
INSERT INTO project_state VALUES('owner-3','p05','fact','owner','Cid','text','active',NULL,NULL,'2026-01-01T00:00:00Z',NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('owner-4','p05','fact','owner','Dee','text','active',NULL,NULL,'2026-01-01T00:00:00Z',NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('guard-1','p05','fact','guard','Ann','text','active',NULL,NULL,'2020-01-01T00:00:00Z','2021-01-01T00:00:00Z',NULL,NULL,'2020-01-02T09:00:00Z',NULL);
INSERT INTO project_state VALUES('guard-2','p05','fact','guard','Bob','text','active',NULL,NULL,'2020-01-01T00:00:00Z','2021-01-01T00:00:00Z',NULL,NULL,'2020-01-03T09:00:00Z',NULL);
INSERT INTO project_state VALUES('guard-3','p05','fact','guard','Cid','text','active',NULL,NULL,'2026-01-01T00:00:00Z',NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('guard-4','p05','fact','guard','Dee','text','active',NULL,NULL,'2026-01-01T00:00:00Z',NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('pitch-1','p05','fact','pitch','1 mm','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('pitch-2','p05','fact','pitch','2 mm','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('glue-1','p05','fact','glue','epoxy','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('glue-2','p05','fact','glue','silicone','text','invalid',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('outer-1','p05','fact','Größe (außen)','Ø 30 mm','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('outer-2','p05','fact','größe außen','Ø 31 mm','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('outer-3','p05','fact','Straße','lang','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('outer-4','p05','fact','STRASSE','kurz','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('legs-1','p05','plan','frame_legs','3','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('legs-2','p05','fact','frame_legs','4','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('pitch-3','p05','fact','pitch','3 mm','text','active',NULL,NULL,NULL,NULL,NULL,NULL,'2026-04-01T09:00:00Z',NULL);
INSERT INTO project_state VALUES('g1','seven','fact','gap','1 mm','text','superseded',NULL,NULL,NULL,NULL,'g2','2026-11-22T12:35:51Z',NULL,NULL);
INSERT INTO project_state VALUES('g2','q7','fact','gap','2 mm','text','active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO project_state VALUES('camera-9','p05','fact','camera','IR','text','active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE projects (
  id          TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  name        TEXT,
  description TEXT,
  created_at  TEXT,
  updated_at  TEXT
);
INSERT INTO projects VALUES('p05','Interferometer',NULL,NULL,NULL);
INSERT INTO projects VALUES('q7','Seven',NULL,NULL,NULL);
CREATE TABLE relations (
  id            TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  type          TEXT,
  project       TEXT NOT NULL DEFAULT '',
  from_id       TEXT,
  to_id         TEXT,
  properties    TEXT,
  status        TEXT NOT NULL DEFAULT 'active',
  confidence    REAL,
  source_refs   TEXT,
  valid_from    TEXT,
  valid_until   TEXT,
  superseded_by TEXT,
  superseded_at TEXT,
  created_at    TEXT,
  updated_at    TEXT
);
INSERT INTO relations VALUES('r1','PART_OF','','support-2','legs-3',NULL,'active',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE sweep_runs (
  id          INTEGER PRIMARY KEY,
  started_at  TEXT,
  finished_at TEXT,
  duration_us INTEGER NOT NULL DEFAULT 0,
  "rows"      INTEGER NOT NULL DEFAULT 0,
  claims      INTEGER NOT NULL DEFAULT 0,
  slots       INTEGER NOT NULL DEFAULT 0,
  opened      INTEGER NOT NULL DEFAULT 0,
  updated     INTEGER NOT NULL DEFAULT 0,
  findings    INTEGER NOT NULL DEFAULT 0
);
INSERT INTO sweep_runs VALUES(1,'2026-11-22T09:24:41.344292Z','2026-11-22T09:24:41.35896Z',14668,34,34,14,14,0,0);
INSERT INTO sweep_runs VALUES(2,'2026-11-22T09:24:42.223329Z','2026-11-22T09:24:42.232662Z',9333,35,34,14,1,0,0);
INSERT INTO sweep_runs VALUES(3,'2026-11-22T09:24:42.512683Z','2026-11-22T09:24:42.525322Z',12639,35,33,14,0,0,0);
INSERT INTO sweep_runs VALUES(4,'2026-11-22T09:24:42.580768Z','2026-11-22T09:24:42.593731Z',12963,35,33,14,0,0,0);
INSERT INTO sweep_runs VALUES(5,'2026-11-22T12:35:01.542314Z','2026-11-22T12:35:01.549073Z',6759,35,33,14,1,7,0);
INSERT INTO sweep_runs VALUES(6,'2026-11-22T12:35:10.701665Z','2026-11-22T12:35:10.708835Z',7170,38,35,15,1,0,0);
CREATE TABLE conflicts (
  id           TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  detected_at  TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  slot_kind    TEXT NOT NULL DEFAULT 'cross_layer',
  slot_key     TEXT NOT NULL,
  project      TEXT NOT NULL DEFAULT '',
  status       TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'dismissed', 'merged')),
  resolved_at  TEXT,
  resolution   TEXT DEFAULT '',
  rule         TEXT NOT NULL DEFAULT 'slot',
  rule_version INTEGER NOT NULL DEFAULT 1,
  action       TEXT,
  winner       TEXT,
  resolved_by  TEXT,
  scope        TEXT,
  anchor       TEXT NOT NULL DEFAULT '',
  merged_into  TEXT,
  window_from  TEXT,
  window_until TEXT
);
INSERT INTO conflicts VALUES('cf846515859e2','2026-11-22T09:24:41.344292Z','state_slot','["p05","camera"]','p05','resolved','2026-11-22T09:24:41Z','tested','slot',1,'supersede_others','project_state:camera-1','kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c8e9d8be084f6','2026-11-22T09:24:41.344292Z','cross_layer','["p05","color"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'project_state:color-1#value',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c82606810fe8b','2026-11-22T09:24:41.344292Z','cross_layer','["p05","frame_legs"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'project_state:legs-1#value',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c8988451f7e19','2026-11-22T09:24:41.344292Z','state_slot','["p05","glue"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('cece92ff12431','2026-11-22T09:24:41.344292Z','state_slot','["p05","grösse_aussen"]','p05','dismissed','2026-11-22T09:24:42Z','not a contradiction: two different things','slot',1,NULL,NULL,'kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('cb0956e5ed6ad','2026-11-22T09:24:41.344292Z','state_slot','["p05","guard"]','p05','dismissed','2026-11-22T09:24:42Z','not a contradiction: two different things','slot',1,NULL,NULL,'kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c0f2f26836068','2026-11-22T09:24:41.344292Z','cross_layer','["p05","lateral_support_material"]','p05','dismissed','2026-11-22T09:24:41Z','not a contradiction: two different things','slot',1,NULL,NULL,'kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c15fb1dfffbe0','2026-11-22T09:24:41.344292Z','state_slot','["p05","mount"]','p05','resolved','2026-11-22T09:24:41Z','both hold, for now','slot',1,'no_action',NULL,'kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c18b9bd975f4e','2026-11-22T09:24:41.344292Z','state_slot','["p05","owner"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'project_state:owner-1#value',NULL,'2020-01-01T00:00:00Z','2021-01-01T00:00:00Z');
INSERT INTO conflicts VALUES('c28cb522fd2ed','2026-11-22T09:24:41.344292Z','state_slot','["p05","pitch"]','p05','dismissed','2026-11-22T09:24:42Z','not a contradiction: two different things','slot',1,NULL,NULL,'kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('cccbb65a01794','2026-11-22T09:24:41.344292Z','memory_slot','["p05","preference","workflow"]','p05','dismissed','2026-11-22T09:24:42Z','not a contradiction: two different things','slot',1,NULL,NULL,'kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c6f401ba176f9','2026-11-22T09:24:41.344292Z','cross_layer','["p05","spindle_speed"]','p05','resolved','2026-11-22T09:24:41Z','process card 3','slot',1,'supersede_others','project_state:spindle-1','kim',NULL,'',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c10914432b169','2026-11-22T09:24:41.344292Z','state_slot','["p05","strasse"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'project_state:outer-3#value',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('cd41858139fd8','2026-11-22T09:24:41.344292Z','state_slot','["p05","vendor"]','p05','resolved','2026-11-22T12:35:51Z','two suppliers','slot',1,'no_action',NULL,'unknown',NULL,'project_state:vendor-1#value',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('ccf0c582380a3','2026-11-22T09:24:41Z','state_slot','["p05","camera"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'project_state:camera-1#value',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('c727cd0152e7e','2026-11-22T09:24:42.223329Z','state_slot','["p05","pitch"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'project_state:pitch-1#value',NULL,NULL,NULL);
INSERT INTO conflicts VALUES('ca0739539a71c','2026-11-22T12:35:01.542314Z','state_slot','["p05","owner"]','p05','open',NULL,'','slot',1,NULL,NULL,NULL,NULL,'project_state:owner-3#value',NULL,'2026-01-01T00:00:00Z',NULL);
INSERT INTO conflicts VALUES('c3e8891d90363','2026-11-22T12:35:10.701665Z','state_slot','["q7","gap"]','q7','resolved','2026-11-22T12:35:51Z','measured','slot',1,'supersede_opponents','project_state:g2','unknown',NULL,'project_state:g1#value',NULL,NULL,NULL);
CREATE TABLE conflict_members (
  conflict_id        TEXT NOT NULL REFERENCES conflicts (id) ON DELETE CASCADE,
  member_kind        TEXT NOT NULL,
  member_id          TEXT NOT NULL,
  member_layer_trust INTEGER NOT NULL DEFAULT 0,
  field              TEXT NOT NULL DEFAULT '',
  value_detected     TEXT,
  value_normal       TEXT,
  flagged            INTEGER NOT NULL DEFAULT 0,
  conflicts_with     TEXT,
  removed            INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (conflict_id, member_kind, member_id, field)
);
INSERT INTO conflict_members VALUES('c8e9d8be084f6','project_state','color-1',3,'value','red','text:red',0,NULL,0);
INSERT INTO conflict_members VALUES('c8e9d8be084f6','project_state','color-2',3,'value','blue','text:blue',0,NULL,0);
INSERT INTO conflict_members VALUES('c8e9d8be084f6','memory','color-3',1,'content','green','text:green',1,'project_state:color-1',0);
INSERT INTO conflict_members VALUES('c82606810fe8b','project_state','legs-1',3,'value','3','number:3',0,NULL,0);
INSERT INTO conflict_members VALUES('c82606810fe8b','project_state','legs-2',3,'value','4','number:4',0,NULL,0);
INSERT INTO conflict_members VALUES('c82606810fe8b','entity','legs-3',2,'value','5','number:5',1,'project_state:legs-1',0);
INSERT INTO conflict_members VALUES('c8988451f7e19','project_state','glue-1',3,'value','epoxy','text:epoxy',0,NULL,0);
INSERT INTO conflict_members VALUES('c8988451f7e19','project_state','glue-2',3,'value','silicone','text:silicone',0,NULL,0);
INSERT INTO conflict_members VALUES('c18b9bd975f4e','project_state','owner-1',3,'value','Ann','text:ann',0,NULL,0);
INSERT INTO conflict_members VALUES('c18b9bd975f4e','project_state','owner-2',3,'value','Bob','text:bob',0,NULL,0);
INSERT INTO conflict_members VALUES('c18b9bd975f4e','project_state','owner-3',3,'value','Cid','text:cid',0,NULL,0);
INSERT INTO conflict_members VALUES('c18b9bd975f4e','project_state','owner-4',3,'value','Dee','text:dee',0,NULL,0);
INSERT INTO conflict_members VALUES('c10914432b169','project_state','outer-3',3,'value','lang','text:lang',0,NULL,0);
INSERT INTO conflict_members VALUES('c10914432b169','project_state','outer-4',3,'value','kurz','text:kurz',0,NULL,0);
INSERT INTO conflict_members VALUES('c0f2f26836068','project_state','support-1',3,'value','GF-PTFE','text:gf-ptfe',0,NULL,0);
INSERT INTO conflict_members VALUES('c0f2f26836068','entity','support-2',2,'value','PEEK','text:peek',1,'project_state:support-1',0);
INSERT INTO conflict_members VALUES('c6f401ba176f9','project_state','spindle-1',3,'value','50 rpm','quantity:50 rpm',0,NULL,0);
INSERT INTO conflict_members VALUES('c6f401ba176f9','entity','spindle-2',2,'value','60 rpm','quantity:60 rpm',1,'project_state:spindle-1',0);
INSERT INTO conflict_members VALUES('c15fb1dfffbe0','project_state','mount-1',3,'value','three feet','text:three feet',0,NULL,0);
INSERT INTO conflict_members VALUES('c15fb1dfffbe0','project_state','mount-2',3,'value','four feet','text:four feet',0,NULL,0);
INSERT INTO conflict_members VALUES('cf846515859e2','project_state','camera-1',3,'value','CCD','text:ccd',0,NULL,0);
INSERT INTO conflict_members VALUES('cf846515859e2','project_state','camera-2',3,'value','CMOS','text:cmos',0,NULL,0);
INSERT INTO conflict_members VALUES('ccf0c582380a3','project_state','camera-1',3,'value','CCD','text:ccd',0,NULL,0);
INSERT INTO conflict_members VALUES('ccf0c582380a3','project_state','camera-2',3,'value','CMOS','text:cmos',0,NULL,0);
INSERT INTO conflict_members VALUES('cb0956e5ed6ad','project_state','guard-1',3,'value','Ann','text:ann',0,NULL,0);
INSERT INTO conflict_members VALUES('cb0956e5ed6ad','project_state','guard-2',3,'value','Bob','text:bob',0,NULL,0);
INSERT INTO conflict_members VALUES('cb0956e5ed6ad','project_state','guard-3',3,'value','Cid','text:cid',0,NULL,0);
INSERT INTO conflict_members VALUES('cb0956e5ed6ad','project_state','guard-4',3,'value','Dee','text:dee',0,NULL,0);
INSERT INTO conflict_members VALUES('c28cb522fd2ed','project_state','pitch-1',3,'value','1 mm','quantity:1 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('c28cb522fd2ed','project_state','pitch-2',3,'value','2 mm','quantity:2 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('c727cd0152e7e','project_state','pitch-1',3,'value','1 mm','quantity:1 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('c727cd0152e7e','project_state','pitch-2',3,'value','2 mm','quantity:2 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('c727cd0152e7e','project_state','pitch-3',3,'value','3 mm','quantity:3 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('cccbb65a01794','memory','flow-1',1,'content','rebase','text:rebas',0,NULL,0);
INSERT INTO conflict_members VALUES('cccbb65a01794','memory','flow-2',1,'content','merge-commit','text:merge-commit',0,NULL,0);
INSERT INTO conflict_members VALUES('cece92ff12431','project_state','outer-1',3,'value','Ø 30 mm','text:ø 30 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('cece92ff12431','project_state','outer-2',3,'value','Ø 31 mm','text:ø 31 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('ca0739539a71c','project_state','owner-3',3,'value','Cid','text:cid',0,NULL,0);
INSERT INTO conflict_members VALUES('ca0739539a71c','project_state','owner-4',3,'value','Dee','text:dee',0,NULL,0);
INSERT INTO conflict_members VALUES('c3e8891d90363','project_state','g1',3,'value','1 mm','quantity:1 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('c3e8891d90363','project_state','g2',3,'value','2 mm','quantity:2 mm',0,NULL,0);
INSERT INTO conflict_members VALUES('cd41858139fd8','project_state','vendor-1',3,'value','Acme','text:acme',0,NULL,0);
INSERT INTO conflict_members VALUES('cd41858139fd8','project_state','vendor-2',3,'value','Apex','text:apex',0,NULL,0);
CREATE TABLE import_sources (
  ref    TEXT NOT NULL,
  source TEXT NOT NULL,
  said   NOT NULL,
  PRIMARY KEY (ref, source)
) WITHOUT ROWID;
INSERT INTO import_sources VALUES('entity:legs-3','',35);
INSERT INTO import_sources VALUES('entity:spindle-2','',8);
INSERT INTO import_sources VALUES('entity:support-2','',6);
INSERT INTO import_sources VALUES('memory:color-3','',4);
INSERT INTO import_sources VALUES('memory:flow-1','',27);
INSERT INTO import_sources VALUES('memory:flow-2','',28);
INSERT INTO import_sources VALUES('project:p05','',1);
INSERT INTO import_sources VALUES('project:q7','sheet',X'6b36620f46655e0f79d181d4d5774a42335a65adc875b14a');
INSERT INTO import_sources VALUES('project_state:camera-1','',13);
INSERT INTO import_sources VALUES('project_state:camera-2','',14);
INSERT INTO import_sources VALUES('project_state:color-1','',2);
INSERT INTO import_sources VALUES('project_state:color-2','',3);
INSERT INTO import_sources VALUES('project_state:g1','sheet',X'f0f09d1b21730ae7033bb45e9405601c2f28d25fa79f9ce2e3655120b8978b64b2ae7bacb8bb8a5412500f300e79db52');
INSERT INTO import_sources VALUES('project_state:g2','sheet',X'f0f09d1be5403aa37c4993219405601c2f28d25fa79f9ce2e3655120b8978b64b2ae7bacb8bb8a54da24390b36923d4f');
INSERT INTO import_sources VALUES('project_state:glue-1','',25);
INSERT INTO import_sources VALUES('project_state:glue-2','',64);
INSERT INTO import_sources VALUES('project_state:guard-1','',19);
INSERT INTO import_sources VALUES('project_state:guard-2','',20);
INSERT INTO import_sources VALUES('project_state:guard-3','',21);
INSERT INTO import_sources VALUES('project_state:guard-4','',22);
INSERT INTO import_sources VALUES('project_state:legs-1','',33);
INSERT INTO import_sources VALUES('project_state:legs-2','',34);
INSERT INTO import_sources VALUES('project_state:mount-1','',9);
INSERT INTO import_sources VALUES('project_state:mount-2','',10);
INSERT INTO import_sources VALUES('project_state:outer-1','',29);
INSERT INTO import_sources VALUES('project_state:outer-2','',30);
INSERT INTO import_sources VALUES('project_state:outer-3','',31);
INSERT INTO import_sources VALUES('project_state:outer-4','',32);
INSERT INTO import_sources VALUES('project_state:owner-1','',15);
INSERT INTO import_sources VALUES('project_state:owner-2','',16);
INSERT INTO import_sources VALUES('project_state:owner-3','',17);
INSERT INTO import_sources VALUES('project_state:owner-4','',18);
INSERT INTO import_sources VALUES('project_state:pitch-1','',23);
INSERT INTO import_sources VALUES('project_state:pitch-2','',24);
INSERT INTO import_sources VALUES('project_state:pitch-3','',62);
INSERT INTO import_sources VALUES('project_state:spindle-1','',7);
INSERT INTO import_sources VALUES('project_state:support-1','',5);
INSERT INTO import_sources VALUES('project_state:vendor-1','',11);
INSERT INTO import_sources VALUES('project_state:vendor-2','',12);
INSERT INTO import_sources VALUES('relation:r1','sheet',X'9ea1463e4622e84919c89256860e314b6676e85c152e92fdfbece159e3d4bad1a42d5a08');
CREATE TABLE verdicts (
  id      TEXT PRIMARY KEY NOT NULL,
  record  TEXT NOT NULL,
  state   TEXT NOT NULL DEFAULT 'waiting',
  target  TEXT NOT NULL DEFAULT '',
  against TEXT NOT NULL DEFAULT '',
  why     TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE claim_index (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  built        INTEGER NOT NULL DEFAULT 0,
  rules        TEXT NOT NULL DEFAULT '',
  newest       INTEGER,
  newest_layer INTEGER,
  newest_id    TEXT,
  ahead        INTEGER,
  now          INTEGER,
  compared     TEXT NOT NULL DEFAULT ''
);
INSERT INTO claim_index VALUES(1,1,'4e6a49e47032127a',1795350951000000,3,'g1',9223372036854775807,1795350951000000,'a5ad6583bfce3fd4');
CREATE INDEX project_aliases_project ON project_aliases (project);
CREATE INDEX journal_ref ON journal (ref);
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_no_replace BEFORE INSERT ON journal
WHEN EXISTS (SELECT 1 FROM journal WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER memories_claim_insert AFTER INSERT ON memories
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (1, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER memories_claim_delete AFTER DELETE ON memories
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (1, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER entities_claim_insert AFTER INSERT ON entities
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (2, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER entities_claim_delete AFTER DELETE ON entities
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (2, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER project_state_claim_insert AFTER INSERT ON project_state
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (3, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER project_state_claim_delete AFTER DELETE ON project_state
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (3, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER project_aliases_claim_insert AFTER INSERT ON project_aliases
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER project_aliases_claim_delete AFTER DELETE ON project_aliases
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER project_aliases_claim_update AFTER UPDATE ON project_aliases
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE UNIQUE INDEX conflicts_open_anchor ON conflicts (rule, slot_key, anchor)
WHERE status = 'open' AND anchor <> '';
CREATE INDEX conflicts_slot ON conflicts (slot_key);
CREATE INDEX conflicts_project ON conflicts (project, status);
CREATE INDEX conflict_members_member ON conflict_members (member_kind, member_id);
CREATE TRIGGER memories_claim_update
AFTER UPDATE OF id, memory_type, content, project, status, slot_rule, scope, polarity,
  valid_from, valid_until, created_at, updated_at, superseded_at ON memories
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (1, OLD.id), (1, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER entities_claim_update
AFTER UPDATE OF id, entity_type, name, project, properties, status, valid_from, valid_until,
  created_at, updated_at, superseded_at ON entities
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (2, OLD.id), (2, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER project_state_claim_update
AFTER UPDATE OF id, project, category, key, value, value_kind, status, valid_from, valid_until,
  created_at, updated_at, superseded_at ON project_state
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (3, OLD.id), (3, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER relations_claim_insert AFTER INSERT ON relations
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (4, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER relations_claim_delete AFTER DELETE ON relations
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (4, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER relations_claim_update
AFTER UPDATE OF id, created_at, updated_at, superseded_at ON relations
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (4, OLD.id), (4, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER conflicts_claim_insert AFTER INSERT ON conflicts
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (0, NEW.slot_key) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER conflicts_claim_delete AFTER DELETE ON conflicts
WHEN (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty VALUES (0, OLD.slot_key) ON CONFLICT DO NOTHING;
  INSERT INTO claim_dirty
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id = OLD.id AND member_kind IN ('memory', 'entity', 'project_state') ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER conflicts_claim_update AFTER UPDATE ON conflicts
WHEN (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty VALUES (0, OLD.slot_key), (0, NEW.slot_key) ON CONFLICT DO NOTHING;
  INSERT INTO claim_dirty
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id = NEW.id AND member_kind IN ('memory', 'entity', 'project_state') ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER conflict_members_claim_insert AFTER INSERT ON conflict_members
WHEN NEW.member_kind IN ('memory', 'entity', 'project_state') AND (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty
  VALUES (CASE NEW.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, NEW.member_id)
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER conflict_members_claim_delete AFTER DELETE ON conflict_members
WHEN OLD.member_kind IN ('memory', 'entity', 'project_state') AND (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty
  VALUES (CASE OLD.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, OLD.member_id)
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER projects_claim_insert AFTER INSERT ON projects
WHEN EXISTS (SELECT 1 FROM project_aliases WHERE alias = NEW.id)
OR EXISTS (SELECT 1 FROM claim_slots WHERE key = 0 AND kind = 7 AND (id = NEW.id
           OR (id NOT IN (SELECT id FROM projects) AND id NOT IN (SELECT alias FROM project_aliases))))
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER projects_claim_delete AFTER DELETE ON projects
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER projects_claim_update AFTER UPDATE OF id, name ON projects
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
COMMIT;
