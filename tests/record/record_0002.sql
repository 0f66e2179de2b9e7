BEGIN TRANSACTION;
CREATE TABLE alembic_version (
        version_num VARCHAR(32) NOT NULL,
        CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
    );
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE entry (
        task TEXT NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        at BIGINT NOT NULL,
        facts TEXT NOT NULL,
        body TEXT,
        digest TEXT NOT NULL,
        PRIMARY KEY (task, number)
    );
INSERT INTO "entry" VALUES('done',1,'Given',1790000002000000000,'{"giver":"Ada","skill":{"source":"app","name":"s","version":"1","digest":"d"},"model":{"name":"m","priced":true},"body":"b70f6e1edc14eecd67074109ee2df4b1fc9d6a9698aad9df66b69eeea0f1aa11"}','{"input":"x"}','c844f52e346af92ac3eda0f0853760afe318a947a0ff168a5769ea522dc66923');
INSERT INTO "entry" VALUES('done',2,'ModelCalled',1790000003000000000,'{"turn":1,"model":"m","reserved":"0.5"}',NULL,'73d230f2a1af3263fcccc73f810e6215adc641348d3840626f9ec04eedc5cd02');
INSERT INTO "entry" VALUES('done',3,'ModelAnswered',1790000004000000000,'{"turn":1,"ok":true,"usage":{"input":10,"output":2,"cache_read":0,"cache_write":0},"cost":"0.2"}',NULL,'73da2685bed31b11483f98477157508d8c593a0ad91d7a0835d43929fb4178a3');
INSERT INTO "entry" VALUES('done',4,'Done',1790000005000000000,'{"ended":"Done","reason":"answered","result":"r","body":"862bbae1be9d7ceb2deffdebcdc202f56adc5609721a36a4aab7242f10c52bd1"}','{"text":"ok","result":7}','edc2810d0b2d975e3413ffcb0c3833b3e2168074b752d30cd3825ccf2d6a7a46');
INSERT INTO "entry" VALUES('asks',1,'Given',1790000008000000000,'{"giver":"Ada"}',NULL,'36757872b65d557ff4744fb3ed52e63ab53d22bab162121034609817dd4fde7a');
INSERT INTO "entry" VALUES('asks',2,'Paused',1790000010000000000,'{"waits":"person"}',NULL,'0f3924a354093932981d3b183a8f2c6b8991c194d9d16691252aa03f89639b1f');
CREATE TABLE late (
        task TEXT NOT NULL,
        token INTEGER NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        at BIGINT NOT NULL,
        facts TEXT NOT NULL,
        body TEXT,
        PRIMARY KEY (task, token, number)
    );
CREATE TABLE proposal (
        id TEXT NOT NULL,
        task TEXT NOT NULL,
        call TEXT NOT NULL,
        action TEXT NOT NULL,
        made BIGINT NOT NULL,
        state TEXT NOT NULL,
        told TEXT NOT NULL,
        answered BIGINT,
        "by" TEXT DEFAULT '' NOT NULL,
        reason TEXT DEFAULT '' NOT NULL,
        covers TEXT DEFAULT '' NOT NULL,
        edited TEXT,
        seen INTEGER DEFAULT 0 NOT NULL,
        PRIMARY KEY (id)
    );
INSERT INTO "proposal" VALUES('asks.p1','asks','c1.1','pay',1790000009000000000,'Pending','{"arguments":{"n":1},"effects":["sends"],"words":"pay may be called","subject":"","confinement":"","kept":false,"unknown":false,"parameters":{},"help":false}',NULL,'','','',NULL,0);
CREATE TABLE task (
        id TEXT NOT NULL,
        skill TEXT NOT NULL,
        source TEXT NOT NULL,
        giver TEXT NOT NULL,
        started BIGINT NOT NULL,
        ended BIGINT,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        token INTEGER DEFAULT 0 NOT NULL,
        owner TEXT DEFAULT '' NOT NULL,
        lease_until BIGINT DEFAULT 0 NOT NULL,
        stop TEXT DEFAULT '' NOT NULL,
        wake_at BIGINT,
        waits_for TEXT DEFAULT '' NOT NULL,
        takeovers INTEGER DEFAULT 0 NOT NULL,
        PRIMARY KEY (id)
    );
INSERT INTO "task" VALUES('done','s','app','Ada',1790000001000000000,1790000006000000000,'Done','answered',1,'',0,'',NULL,'',0);
INSERT INTO "task" VALUES('asks','s','app','Ada',1790000007000000000,NULL,'Waiting','',1,'',0,'',NULL,'person',0);
CREATE TABLE yes (
        subject TEXT NOT NULL,
        task TEXT NOT NULL,
        number INTEGER NOT NULL,
        at BIGINT NOT NULL,
        "by" TEXT NOT NULL,
        PRIMARY KEY (subject)
    );
CREATE INDEX task_started ON task (started);
CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    WHEN NEW.body IS NOT NULL OR NEW.task IS NOT OLD.task OR NEW.number IS NOT OLD.number OR NEW.kind IS NOT OLD.kind
      OR NEW.at IS NOT OLD.at OR NEW.facts IS NOT OLD.facts OR NEW.digest IS NOT OLD.digest
    BEGIN SELECT RAISE(ABORT, 'entries are never changed; only a body may be erased'); END;
CREATE TRIGGER entry_is_never_replaced BEFORE INSERT ON entry
    WHEN EXISTS (SELECT 1 FROM entry WHERE task = NEW.task AND number = NEW.number)
    BEGIN SELECT RAISE(ABORT, 'entries are never replaced'); END;
CREATE INDEX task_open ON task (state, wake_at) WHERE ended IS NULL;
CREATE INDEX task_stopping ON task (started) WHERE ended IS NULL AND stop != '';
CREATE INDEX task_waits ON task (waits_for) WHERE waits_for != '';
CREATE INDEX proposal_state ON proposal (state, made);
CREATE INDEX proposal_task ON proposal (task);
COMMIT;
