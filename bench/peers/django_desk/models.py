from django.db import models


class Person(models.Model):
    id = models.UUIDField(primary_key=True)
    name = models.TextField()

    class Meta:
        managed = False
        db_table = "person"

    def __str__(self):
        return self.name


class Loan(models.Model):
    id = models.UUIDField(primary_key=True)
    number = models.TextField()
    state = models.TextField(choices=[(name, name) for name in ["Draft", "Requested", "Approved", "Out", "Overdue", "Returned", "Declined"]])
    borrower = models.ForeignKey(Person, models.DO_NOTHING, db_column="borrower", related_name="+")
    out_on = models.DateField()
    due_back = models.DateField()
    approved_by = models.ForeignKey(Person, models.DO_NOTHING, db_column="approved_by", null=True, blank=True, related_name="+")

    class Meta:
        managed = False
        db_table = "loan"

    def __str__(self):
        return self.number
