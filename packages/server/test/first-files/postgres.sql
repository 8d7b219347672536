-- Made by commit 4d3adfbe: see README.md.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA bae;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE bae.audit (
    id text NOT NULL,
    "time" bigint NOT NULL,
    number bigint NOT NULL,
    body text NOT NULL
);
CREATE TABLE bae.entries (
    id bigint NOT NULL,
    session text NOT NULL,
    "time" bigint NOT NULL,
    mode text DEFAULT 'ai'::text NOT NULL,
    channel text NOT NULL,
    direction text NOT NULL,
    content text NOT NULL,
    meta text NOT NULL,
    words tsvector NOT NULL
);
ALTER TABLE bae.entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME bae.entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE bae.events (
    session text NOT NULL,
    seq bigint NOT NULL,
    "time" bigint NOT NULL,
    epoch bigint,
    type text NOT NULL,
    body text NOT NULL
);
CREATE TABLE bae.prompts (
    id text NOT NULL,
    session text NOT NULL,
    number bigint NOT NULL,
    key text,
    text text NOT NULL,
    state text NOT NULL,
    outcome text,
    taken_at bigint DEFAULT 0 NOT NULL,
    tries bigint DEFAULT 0 NOT NULL,
    cancelled bigint DEFAULT 0 NOT NULL
);
CREATE TABLE bae.questions (
    id text NOT NULL,
    session text NOT NULL,
    number bigint NOT NULL,
    body text NOT NULL,
    reply text,
    replied_by text,
    closed bigint DEFAULT 0 NOT NULL
);
CREATE TABLE bae.records (
    session text NOT NULL,
    seq bigint NOT NULL,
    "time" bigint NOT NULL,
    kind text NOT NULL,
    body text NOT NULL,
    mac text
);
CREATE TABLE bae.results (
    session text NOT NULL,
    number bigint NOT NULL,
    "time" bigint NOT NULL,
    body text NOT NULL
);
CREATE TABLE bae.served_sessions (
    id text NOT NULL,
    owner text NOT NULL,
    created bigint NOT NULL,
    state text NOT NULL,
    epoch bigint DEFAULT 0 NOT NULL,
    last bigint DEFAULT 0 NOT NULL,
    body text NOT NULL
);
CREATE TABLE bae.sessions (
    id text NOT NULL,
    label text NOT NULL,
    started bigint NOT NULL,
    cwd text NOT NULL,
    meta text NOT NULL,
    epoch bigint DEFAULT 0 NOT NULL,
    last_seq bigint DEFAULT 0 NOT NULL,
    last_turn bigint DEFAULT 0 NOT NULL,
    last_call bigint DEFAULT 0 NOT NULL,
    last_mac text DEFAULT ''::text NOT NULL,
    messages bigint DEFAULT 0 NOT NULL,
    prompt text
);
CREATE TABLE bae.spending (
    subject text NOT NULL,
    tokens double precision NOT NULL,
    dollars double precision NOT NULL,
    minutes double precision NOT NULL,
    calls double precision NOT NULL
);
CREATE TABLE bae.tokens (
    id text NOT NULL,
    name text NOT NULL,
    created bigint NOT NULL,
    expires bigint,
    revoked bigint,
    body text NOT NULL
);
CREATE TABLE bae.versions (
    name text NOT NULL,
    version bigint NOT NULL
);
INSERT INTO bae.audit VALUES ('0d033c0b-1bb8-41cf-94da-4820c5108d22', 1795536000000, 1, '{"by":"operator","what":"token created","detail":"ada"}');
INSERT INTO bae.entries OVERRIDING SYSTEM VALUE VALUES (1, '01a22ccf-cb82-72dd-9735-e4d266c77b37', 1796048145382, 'ai', 'ai', 'input', 'How many notes are there?', '{}', '''are'':4 ''how'':1 ''many'':2 ''notes'':3 ''there'':5');
INSERT INTO bae.entries OVERRIDING SYSTEM VALUE VALUES (2, '01a22ccf-cb82-72dd-9735-e4d266c77b37', 1796048145405, 'ai', 'ai', 'output', 'Two notes: milk and bread.', '{}', '''and'':4 ''bread'':5 ''milk'':3 ''notes'':2 ''two'':1');
INSERT INTO bae.events VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', 1, 1796048145382, 1, 'turn-start', '{"label":"1","turn":1,"type":"turn-start","prompt":"How many notes are there?"}');
INSERT INTO bae.events VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', 3, 1796048145405, 1, 'answer', '{"label":"1","turn":1,"type":"answer","text":"Two notes: milk and bread."}');
INSERT INTO bae.prompts VALUES ('7d497a12-7ca1-49d3-9d97-0adeb3eb7d8d', '01a22ccf-cb82-72dd-9735-e4d266c77b37', 1, 'k', '"How many notes are there?"', 'done', 'answered', 0, 1, 0);
INSERT INTO bae.prompts VALUES ('46d063b5-cd60-4f57-9adf-f4df8c68b325', '01a22ccf-cb82-72dd-9735-e4d266c77b37', 2, NULL, '"Schöne “quotes”, \u0000 NUL, 😀 and </R>"', 'queued', NULL, 0, 0, 0);
INSERT INTO bae.questions VALUES ('q1', '01a22ccf-cb82-72dd-9735-e4d266c77b37', 3, '{"id":"q1","type":"question","space":"a","tool":"b","text":"Schöne “quotes”, \u0000 NUL, 😀 and </R>","fields":{}}', NULL, NULL, 0);
INSERT INTO bae.records VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', 2, 1796048145402, 'message', '{"kind":"message","message":{"role":"user","text":"How many notes are there?"}}', NULL);
INSERT INTO bae.records VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', 4, 1796048145406, 'message', '{"kind":"message","message":{"role":"assistant","text":"Two notes: milk and bread."}}', NULL);
INSERT INTO bae.results VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', 1, 1796048145382, '"line\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\nline\n"');
INSERT INTO bae.served_sessions VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', 'ada', 1796048145293, 'working', 1, 3, '{"owner":"ada","workspace":{"type":"none"},"spaces":["*"],"may":["read"],"budget":{}}');
INSERT INTO bae.sessions VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', '1', 1796048145282, '', '{}', 1, 4, 1, 0, '', 2, 'How many notes are there?');
INSERT INTO bae.spending VALUES ('01a22ccf-cb82-72dd-9735-e4d266c77b37', 20, 0.5, 1, 2);
INSERT INTO bae.spending VALUES ('token:ada', 20, 0.5, 1, 2);
INSERT INTO bae.tokens VALUES ('9daf535af3f174d8', 'ada', 1795536000000, NULL, NULL, '{"name":"ada","may":["read"],"spaces":["*"],"folders":[],"sessionsOf":[],"budget":{},"id":"9daf535af3f174d8","hash":"e217a6a1a52218b0f593196bad17ecd98a4d435ee71113d6659400adc70ac094"}');
INSERT INTO bae.versions VALUES ('sessions', 1);
INSERT INTO bae.versions VALUES ('server', 1);
SELECT pg_catalog.setval('bae.entries_id_seq', 2, true);
ALTER TABLE ONLY bae.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bae.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bae.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (session, seq);
ALTER TABLE ONLY bae.prompts
    ADD CONSTRAINT prompts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bae.prompts
    ADD CONSTRAINT prompts_session_key_key UNIQUE (session, key);
ALTER TABLE ONLY bae.questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bae.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (session, seq);
ALTER TABLE ONLY bae.results
    ADD CONSTRAINT results_pkey PRIMARY KEY (session, number);
ALTER TABLE ONLY bae.served_sessions
    ADD CONSTRAINT served_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bae.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bae.spending
    ADD CONSTRAINT spending_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY bae.tokens
    ADD CONSTRAINT tokens_name_key UNIQUE (name);
ALTER TABLE ONLY bae.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bae.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (name);
CREATE INDEX approvals ON bae.records USING btree (session, seq) WHERE (kind = 'approval'::text);
CREATE INDEX entries_of_session ON bae.entries USING btree (session, id);
CREATE INDEX entry_words ON bae.entries USING gin (words);
CREATE INDEX latest_audit ON bae.audit USING btree ("time", number);
CREATE INDEX prompts_to_do ON bae.prompts USING btree (session, number) WHERE (state <> 'done'::text);
CREATE INDEX questions_that_wait ON bae.questions USING btree (session, number) WHERE (closed = 0);
CREATE INDEX sessions_of_owner ON bae.served_sessions USING btree (owner, id);
ALTER TABLE ONLY bae.entries
    ADD CONSTRAINT entries_session_fkey FOREIGN KEY (session) REFERENCES bae.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY bae.events
    ADD CONSTRAINT events_session_fkey FOREIGN KEY (session) REFERENCES bae.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY bae.prompts
    ADD CONSTRAINT prompts_session_fkey FOREIGN KEY (session) REFERENCES bae.served_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY bae.questions
    ADD CONSTRAINT questions_session_fkey FOREIGN KEY (session) REFERENCES bae.served_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY bae.records
    ADD CONSTRAINT records_session_fkey FOREIGN KEY (session) REFERENCES bae.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY bae.results
    ADD CONSTRAINT results_session_fkey FOREIGN KEY (session) REFERENCES bae.sessions(id) ON DELETE CASCADE;
